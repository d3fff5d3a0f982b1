/*
 * One template: from text and tags to a flat list of checked operations.
 */

'use strict';

const path = require('path');

const { TemplateError, readText, chomp } = require('./source');
const {
  match, WORD, tokenize, join, expressionOf, callOf, declarationOf,
} = require('./expression');
const { scan } = require('./scanner');

const MAX_DEPTH = 64;            // of blocks; C compilers promise 127
const MAX_INLINED = 1024 * 1024; // bytes into one template


/*
 * A view: {file, name, folder, params, includes, ops}.  Operations:
 *   text {text}          print {expr}        raw {expr}
 *   if {expr}            elsif {expr}        else            end
 *   for {type…, expr}    render {name, args} yield
 *   begin, finish {name, args}               (of a layout)
 * Each has the line of its tag.
 */
class Parser {
  constructor(project, folder, fileName) {
    this.project = project;
    this.file = path.posix.join(project.templates, folder, fileName);
    this.view = {
      file: this.file, folder, name: fileName.replace(/\.html$/, ''),
      params: [], includes: [], ops: [], line: 0,
    };
    this.blocks = [];
    this.yields = 0;
    this.inlined = 0;
    this.line = 1;
    this.fail = (message) => {
      throw new TemplateError(this.file, this.line, message);
    };
  }

  parse() {
    const { view } = this;

    if (!/^[a-z][a-z0-9_]*$/.test(view.name)) {
      this.fail(`the file name '${view.name}' is no view name: use a-z, 0-9, _`);
    }

    const pieces = scan(this.file, chomp(readText(this.file)));
    this.parseBody(pieces, this.parseHead(pieces));

    if (this.blocks.length) {
      const block = this.blocks.pop();
      this.line = block.line;
      this.fail(`{% ${block.kind} %} without its {% end %}`);
    }
    if (view.folder === 'layouts' && this.yields === 0) {
      this.fail('a layout needs {% yield %}');
    }

    return view;
  }

  // {% view %}, includes and comments; gives the index of the first piece of
  // the body, from which the newline after the head is taken.
  parseHead(pieces) {
    const { view } = this;
    let i = 0;
    let bodyStart = 0;

    for (; i < pieces.length; i++) {
      const { kind, text, line } = pieces[i];
      const word = match(WORD, text.trimStart(), 0);

      this.line = line;

      if (kind === 'comment' || (kind === 'text' && text.trim() === '')) {
        continue;
      }
      if (kind !== 'tag' || !['view', 'include'].includes(word)) {
        break;
      }

      bodyStart = i + 1;
      const rest = text.trimStart().slice(word.length);

      if (word === 'include') {
        if (!view.line) {
          break;
        }
        view.includes.push({ line, file: this.quoted('include', rest) });
        continue;
      }
      if (view.line) {
        this.fail('a second {% view %}');
      }
      view.line = line;
      this.parseView(rest);
    }

    if (!view.line) {
      this.fail(`the first line must be {% view ${view.name}(...) %}`);
    }

    for (const { line, file } of view.includes) {
      this.line = line;
      if (!/^[A-Za-z0-9_][A-Za-z0-9_.\/-]*\.h$/.test(file)) {
        this.fail(`{% include "${file}" %} must name a header, "DIR/NAME.h"`);
      }
    }

    // comments with the head go with their lines
    while (bodyStart < pieces.length && (pieces[bodyStart].kind === 'comment'
           || (pieces[bodyStart].kind === 'text'
               && pieces[bodyStart].text.trim() === '')))
    {
      bodyStart++;
    }

    // the newline after the head, but not the indentation after it
    if (bodyStart < pieces.length && pieces[bodyStart].kind === 'text') {
      const piece = pieces[bodyStart];
      piece.text = piece.text.replace(/^(?:[ \t]*\r?\n)*/, '');
    }

    return bodyStart;
  }

  parseView(rest) {
    const { view } = this;
    const tokens = tokenize(rest, this.fail);
    const { name, parts } = callOf(tokens, '{% view %}', this.fail);

    if (name !== view.name) {
      this.fail(`{% view ${name} %} in a file named ${view.name}.html`);
    }

    for (const part of parts) {
      if (part.length === 0) {
        this.fail('an empty argument');
      }
      const param = declarationOf(part, this.fail);
      if (view.params.some((p) => p.name === param.name)) {
        this.fail(`two arguments named '${param.name}'`);
      }
      view.params.push(param);
    }
  }

  // The one string of an include, asset or inline tag.
  quoted(word, rest) {
    const tokens = tokenize(rest, this.fail);

    if (tokens.length !== 1 || !/^"[^"\\]*"$/.test(tokens[0].text)) {
      this.fail(`{% ${word} %} takes one string: {% ${word} "..." %}`);
    }
    return tokens[0].text.slice(1, -1);
  }

  add(op, more) {
    this.view.ops.push({ op, line: this.line, ...more });
  }

  expression(text) {
    return expressionOf(tokenize(text, this.fail), this.fail);
  }

  parseBody(pieces, from) {
    for (let i = from; i < pieces.length; i++) {
      const { kind, text, line } = pieces[i];

      this.line = line;

      switch (kind) {
      case 'text':
        this.add('text', { text });
        break;
      case 'print':
      case 'raw':
        this.add(kind, { expr: this.expression(text) });
        break;
      case 'tag':
        this.parseTag(text);
        break;
      }
    }
  }

  parseTag(text) {
    const body = text.trim();
    const word = match(WORD, body, 0);
    const rest = body.slice(word.length);

    switch (word) {
    case 'if':
      this.push('if');
      return this.add('if', { expr: this.expression(rest) });
    case 'elsif':
    case 'else':
      return this.parseElse(word, rest);
    case 'for':
      return this.parseFor(rest);
    case 'layout':
      return this.parseLayout(rest);
    case 'end':
      return this.parseEnd(rest);
    case 'render':
      return this.add('render', this.call('render', rest));
    case 'yield':
      return this.parseYield(rest);
    case 'asset':
      return this.parseAsset(this.quoted(word, rest));
    case 'inline':
      return this.parseInline(this.quoted(word, rest));
    case 'view':
    case 'include':
      return this.fail(`{% ${word} %} must stand in the first lines`);
    default:
      return this.fail(`unknown tag {% ${word || body.slice(0, 20)} %}`);
    }
  }

  push(kind, more) {
    if (this.blocks.length === MAX_DEPTH) {
      this.fail(`more than ${MAX_DEPTH} blocks within each other`);
    }
    this.blocks.push({ kind, line: this.line, ...more });
  }

  parseElse(word, rest) {
    const block = this.blocks[this.blocks.length - 1];

    if (!block || block.kind !== 'if') {
      this.fail(`{% ${word} %} without its {% if %}`);
    }
    if (block.sawElse) {
      this.fail(`{% ${word} %} after {% else %}`);
    }
    if (word === 'elsif') {
      return this.add('elsif', { expr: this.expression(rest) });
    }
    if (rest.trim() !== '') {
      this.fail('{% else %} takes nothing; {% elsif EXPR %} does');
    }
    block.sawElse = true;
    return this.add('else');
  }

  parseFor(rest) {
    const tokens = tokenize(rest, this.fail);
    const at = tokens.findIndex((t) => t.kind === 'word' && t.text === 'in');

    if (at < 1) {
      this.fail('{% for %} must be {% for TYPE *x in EXPR %}');
    }

    const item = declarationOf(tokens.slice(0, at), this.fail);
    if (item.stars === 0) {
      this.fail(`{% for %} visits by pointer: {% for TYPE *${item.name} in … %}`);
    }

    const known = this.view.params.concat(this.blocks.filter((b) => b.name));
    if (known.some((k) => k.name === item.name)) {
      this.fail(`'${item.name}' hides an outer name, choose another`);
    }

    this.push('for', { name: item.name });
    this.add('for', { item, expr: expressionOf(tokens.slice(at + 1), this.fail) });
  }

  // {name, args, checked later against the view it names}
  call(word, rest) {
    const tokens = tokenize(rest, this.fail);
    const { name, parts } = callOf(tokens, `{% ${word} %}`, this.fail);

    return { name, args: parts.map((part) => expressionOf(part, this.fail)) };
  }

  parseLayout(rest) {
    const layout = this.call('layout', rest);
    this.push('layout', { layout });
    this.add('begin', layout);
  }

  parseEnd(rest) {
    const block = this.blocks.pop();

    if (rest.trim() !== '') {
      this.fail('{% end %} takes nothing');
    }
    if (!block) {
      this.fail('{% end %} without its {% if %}, {% for %} or {% layout %}');
    }
    return block.kind === 'layout' ? this.add('finish', block.layout)
                                   : this.add('end');
  }

  // The place of {% yield %} is where one C function ends and another
  // begins, so no block but a layout may be open there.
  parseYield(rest) {
    if (rest.trim() !== '') {
      this.fail('{% yield %} takes nothing');
    }
    if (this.view.folder !== 'layouts') {
      this.fail('{% yield %} outside a layout');
    }
    if (this.yields++) {
      this.fail('a second {% yield %}');
    }
    for (const block of this.blocks) {
      if (block.kind !== 'layout') {
        this.fail(`{% yield %} within {% ${block.kind} %} of line ${block.line}`);
      }
    }
    this.add('yield');
  }

  parseAsset(name) {
    this.add('print', { expr: 'view->prefix' });
    this.add('text', { text: this.project.asset(name, this.fail) });
  }

  parseInline(name) {
    const root = this.project.templates;

    if (!/^[A-Za-z0-9_][A-Za-z0-9_.\/-]*$/.test(name)
        || name.split('/').includes('..'))
    {
      this.fail(`{% inline "${name}" %} must name a file below ${root}`);
    }

    let text;
    try {
      text = readText(path.posix.join(root, name));
    } catch (e) {
      this.fail(`{% inline "${name}" %}: ${e.message}`);
    }
    this.inlined += text.length;
    if (this.inlined > MAX_INLINED) {
      this.fail(`more than ${MAX_INLINED} bytes inlined`);
    }
    this.add('text', { text: chomp(text) });
  }
}


module.exports = { Parser };
