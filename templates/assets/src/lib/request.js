// fetch() with what the server expects of a script.

import { csrfToken } from './page.js';

const TYPES = {
  html: 'text/html, application/xhtml+xml',
  json: 'application/json',
  stream: 'text/vnd.turbo-stream.html, text/html, application/xhtml+xml',
};

export function get(url, { as = 'html', signal } = {}) {
  return fetch(url, { credentials: 'same-origin', headers: headers(as), signal });
}

export function postJson(url, body, { signal } = {}) {
  return fetch(url, {
    method: 'POST',
    credentials: 'same-origin',
    headers: {
      ...headers('json'),
      'Content-Type': 'application/json',
      'X-CSRF-Token': csrfToken(),
    },
    body: JSON.stringify(body),
    signal,
  });
}

function headers(as) {
  return { Accept: TYPES[as], 'X-Requested-With': 'XMLHttpRequest' };
}
