// Sends files, a few at a time.

import { csrfToken } from './page.js';

const AT_ONCE = 2;

export class Uploads {
  #active = 0;
  #send;
  #waiting = [];

  // `send(upload)` does one; replaceable for tests.
  constructor(send = sendFile) {
    this.#send = send;
  }

  // { url, file, clientId, progress(percent), signal }: resolves to the
  // answer, the text of streams; rejects when it failed or was ended.
  add(upload) {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ upload, resolve, reject });
      this.#next();
    });
  }

  async #next() {
    if (this.#active >= AT_ONCE || this.#waiting.length === 0) {
      return;
    }

    const { upload, resolve, reject } = this.#waiting.shift();
    this.#active += 1;
    try {
      resolve(await this.#send(upload));
    } catch (error) {
      reject(error);
    } finally {
      this.#active -= 1;
      this.#next();
    }
  }
}

// fetch() tells nothing about the progress of what it sends.
function sendFile({ url, file, clientId, progress, signal }) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const body = new FormData();
    const fail = () => reject(new Error('The upload failed'));

    if (signal.aborted) {
      fail();
      return;
    }

    body.append('message[attachment]', file);
    body.append('message[client_message_id]', clientId);

    request.open('POST', url);
    request.setRequestHeader('X-CSRF-Token', csrfToken());
    request.setRequestHeader('X-Requested-With', 'XMLHttpRequest');
    request.upload.addEventListener('progress', (event) => {
      if (event.lengthComputable) {
        progress(Math.round((event.loaded / event.total) * 100));
      }
    });
    request.addEventListener('load', () => {
      const type = request.getResponseHeader('Content-Type') ?? '';
      if (request.status < 400 && type.includes('turbo-stream')) {
        resolve(request.responseText);
      } else {
        fail();
      }
    });
    request.addEventListener('error', fail);
    request.addEventListener('abort', fail);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(body);
  });
}
