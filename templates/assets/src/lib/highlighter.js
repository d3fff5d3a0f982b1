// The highlighter and the languages it knows, its own file.

import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import xml from 'highlight.js/lib/languages/xml';

const LANGUAGES = {
  bash, c, css, diff, go, javascript, json, python, ruby, rust, sql, xml,
};

const MAX_SIZE = 50_000;

for (const [name, language] of Object.entries(LANGUAGES)) {
  hljs.registerLanguage(name, language);
}

// HTML of coloured code, or null for what is better left plain.
export function highlightCode(code, language) {
  if (code.length > MAX_SIZE || language === 'plain') {
    return null;
  }

  const known = language && hljs.getLanguage(language);
  return known ? hljs.highlight(code, { language, ignoreIllegals: true }).value
               : hljs.highlightAuto(code).value;
}
