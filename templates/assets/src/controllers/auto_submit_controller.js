import { Controller } from '@hotwired/stimulus';

// A form that sends itself, though not while a cached page is previewed.
export default class extends Controller {
  connect() {
    if (!document.documentElement.hasAttribute('data-turbo-preview')) {
      this.element.requestSubmit();
    }
  }
}
