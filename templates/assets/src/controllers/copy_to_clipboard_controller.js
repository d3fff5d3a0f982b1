import { Controller } from '@hotwired/stimulus';

const SHOWN = 2000;

export default class extends Controller {
  static classes = ['success'];

  static values = { content: String };

  #timer = null;

  disconnect() {
    clearTimeout(this.#timer);
  }

  async copy(event) {
    event.preventDefault();

    try {
      await navigator.clipboard.writeText(this.contentValue);
      this.#show();
    } catch {
      // not allowed here: have it copied by hand
      window.prompt('Copy this:', this.contentValue);
    }
  }

  // Taken off first, so that the animation starts again.
  #show() {
    if (!this.hasSuccessClass) {
      return;
    }
    clearTimeout(this.#timer);
    this.element.classList.remove(this.successClass);
    this.element.offsetWidth;           // eslint-disable-line no-unused-expressions
    this.element.classList.add(this.successClass);
    this.#timer = setTimeout(() => this.element.classList.remove(this.successClass), SHOWN);
  }
}
