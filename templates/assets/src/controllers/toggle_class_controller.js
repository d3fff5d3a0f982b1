import { Controller } from '@hotwired/stimulus';

// Shows and hides the sidebar on narrow pages. While it is shown, what is
// beside it only hides it again.
export default class extends Controller {
  static classes = ['toggle'];

  connect() {
    document.addEventListener('click', this.#outside, true);
    document.addEventListener('keydown', this.#escape);
  }

  disconnect() {
    document.removeEventListener('click', this.#outside, true);
    document.removeEventListener('keydown', this.#escape);
  }

  toggle() {
    this.element.classList.toggle(this.toggleClass);
  }

  get #on() {
    return this.element.classList.contains(this.toggleClass);
  }

  #outside = (event) => {
    if (this.#on && !this.element.contains(event.target)) {
      event.preventDefault();
      event.stopPropagation();
      this.toggle();
    }
  };

  #escape = (event) => {
    if (this.#on && event.key === 'Escape' && !event.defaultPrevented) {
      this.toggle();
    }
  };
}
