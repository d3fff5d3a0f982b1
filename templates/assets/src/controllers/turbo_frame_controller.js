import { Controller } from '@hotwired/stimulus';

export default class extends Controller {
  static values = { url: String };

  load() {
    if (this.urlValue && this.element.getAttribute('src') !== this.urlValue) {
      this.element.src = this.urlValue;
    }
  }

  reload() {
    if (this.element.getAttribute('src')) {
      this.element.reload();
    }
  }

  // The next page then brings a fresh one.
  unpermanize() {
    this.element.removeAttribute('data-turbo-permanent');
  }
}
