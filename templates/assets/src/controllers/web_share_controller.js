import { Controller } from '@hotwired/stimulus';
import { newClientId } from '../lib/client_id.js';

// Only where the browser can share; hidden elsewhere.
export default class extends Controller {
  static values = { files: String, text: String, title: String, url: String };

  connect() {
    this.element.hidden = !navigator.canShare;
  }

  async share() {
    try {
      await navigator.share(await this.#content());
    } catch {
      // given up, or nothing that can be shared
    }
  }

  async #content() {
    const content = {};

    if (this.titleValue) {
      content.title = this.titleValue;
    }
    if (this.textValue) {
      content.text = this.textValue;
    }
    if (this.urlValue) {
      content.url = this.urlValue;
    }
    if (this.filesValue) {
      content.files = [await this.#file()];
    }
    return content;
  }

  async #file() {
    const response = await fetch(this.filesValue);
    const blob = await response.blob();
    const extension = blob.type.split('/').pop() || 'bin';
    const name = `Campfire_${newClientId().slice(0, 8)}.${extension}`;

    return new File([blob], name, { type: blob.type });
  }
}
