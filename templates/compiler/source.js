/*
 * Reading what authors wrote, and the errors that name file and line.
 */

'use strict';

const fs = require('fs');

const MAX_BYTES = 1024 * 1024;   // of a template, an inlined file, the manifest


// A mistake that the author can repair; line 0 means the file as a whole.
class TemplateError extends Error {
  constructor(file, line, message) {
    super(line ? `${file}:${line}: ${message}` : `${file}: ${message}`);
  }
}


// Only regular files: reading a pipe or a device might never end.
function readFile(file) {
  const stat = fs.statSync(file);

  if (!stat.isFile()) {
    throw new Error('is not a regular file');
  }
  if (stat.size > MAX_BYTES) {
    throw new Error(`is larger than ${MAX_BYTES} bytes`);
  }

  return fs.readFileSync(file);
}


function readText(file) {
  let bytes;

  try {
    bytes = readFile(file);
  } catch (e) {
    throw new TemplateError(file, 0, reason(e));
  }

  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) {
    throw new TemplateError(file, 1, 'is not valid UTF-8');
  }

  const control = text.search(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufeff]/);
  if (control >= 0) {
    throw new TemplateError(file, lineAt(text, control),
        'a control character or byte order mark');
  }

  return text;
}


// What an exception of fs says, without the name of the system call.
function reason(e) {
  return String(e.message).replace(/^([A-Z]+): (.*?), .*$/s, '$2');
}


function lineAt(text, offset) {
  return text.slice(0, offset).split('\n').length;
}


// Editors end each file with a newline; it is no part of the markup.
function chomp(text) {
  return text.replace(/\r?\n$/, '');
}


module.exports = { TemplateError, readFile, readText, reason, chomp };
