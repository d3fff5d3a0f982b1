/*
 * Cuts a template into text, tags and comments.
 */

'use strict';

const { TemplateError } = require('./source');
const { quotedAt } = require('./expression');

const MAX_TAG = 4096;


const KINDS = [
  { open: '{{{', close: '}}}', kind: 'raw' },
  { open: '{{', close: '}}', kind: 'print' },
  { open: '{%', close: '%}', kind: 'tag' },
  { open: '{#', close: '#}', kind: 'comment' },
];


// Where a tag that starts at `at` closes, strings skipped; -1 when it does not.
function closeOf(source, at, close, fail) {
  const limit = Math.min(source.length, at + MAX_TAG);

  while (at < limit) {
    if (source.startsWith(close, at)) {
      return at;
    }
    const quoted = quotedAt(source, at);
    if (!quoted && (source[at] === '"' || source[at] === "'")) {
      fail('a string without its end in a tag');
    }
    at += quoted.length || 1;
  }
  return -1;
}


// A list of {kind, text, line}, with the asked-for white space trimmed.
function scan(file, source) {
  const pieces = [];
  let at = 0;
  let line = 1;
  let trimNext = false;

  const fail = (message) => {
    throw new TemplateError(file, line, message);
  };
  const addText = (end) => {
    const text = source.slice(at, end);

    pieces.push({ kind: 'text', text: trimNext ? text.trimStart() : text, line });
    line += text.split('\n').length - 1;
    at = end;
  };

  for (;;) {
    const brace = /\{[{%#]/g;
    brace.lastIndex = at;
    const found = brace.exec(source);
    addText(found ? found.index : source.length);
    if (!found) {
      return pieces;
    }

    const { open, close, kind } = KINDS.find((k) => source.startsWith(k.open, at));
    const start = at + open.length;
    const end = kind === 'comment' ? source.indexOf(close, start)
                                   : closeOf(source, start, close, fail);
    if (end < 0) {
      fail(`'${open}' without its '${close}'`);
    }

    let text = source.slice(start, end);
    trimNext = false;

    if (kind === 'print' && text.startsWith('-')) {
      fail("'{{-' does not trim, only '{%-' does; write '{{ -' for a minus");
    }
    if (kind === 'tag') {
      if (text.startsWith('-')) {
        const before = pieces[pieces.length - 1];
        before.text = before.text.trimEnd();
        text = text.slice(1);
      }
      if (text.endsWith('-')) {
        text = text.slice(0, -1);
        trimNext = true;
      }
    }

    pieces.push({ kind, text, line });
    line += source.slice(at, end).split('\n').length - 1;
    at = end + close.length;
  }
}


module.exports = { scan };
