// Asks for previews of pasted links, one at a time.

import { escapeHtml } from './text_template.js';
import { mountPrefix } from './page.js';
import { postJson } from './request.js';

export const PREVIEW_TYPE = 'application/vnd.actiontext.opengraph-embed';

export class LinkPreviews {
  #abort = null;

  // { title, url, image, description } or null. A new request ends the one
  // before, whose answer is then null.
  async find(url) {
    this.cancel();
    this.#abort = new AbortController();

    try {
      const response = await postJson(`${mountPrefix()}/unfurl_link`, { url },
                                      { signal: this.#abort.signal });
      const found = response.status === 200 ? await response.json() : null;
      return found?.title && found?.url ? found : null;
    } catch {
      return null;
    }
  }

  cancel() {
    this.#abort?.abort();
    this.#abort = null;
  }
}

// What the editor shows and sends for a preview; the server reads it again.
export function previewHtml({ title, url, image, description }) {
  const picture = image
    ? `<div class="og-embed__image"><img src="${escapeHtml(image)}" class="image center" alt=""></div>`
    : '';

  return '<div class="og-embed gap"><div class="og-embed__content">'
    + `<div class="og-embed__title"><a href="${escapeHtml(url)}">${escapeHtml(title)}</a></div>`
    + `<div class="og-embed__description">${escapeHtml(description ?? '')}</div>`
    + `</div>${picture}</div>`;
}
