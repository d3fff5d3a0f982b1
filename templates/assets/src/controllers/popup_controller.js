import { Controller } from '@hotwired/stimulus';

const ROOM_BELOW = 90;
const MARGIN = 12;

// A box that <details> opens over the page.
export default class extends Controller {
  static targets = ['menu'];

  static classes = ['orientationTop'];

  connect() {
    this.element.addEventListener('keydown', this.#move);
  }

  disconnect() {
    this.element.removeEventListener('keydown', this.#move);
  }

  // Opens upwards where too little room is left below, and stays in the window.
  orient() {
    this.element.classList.remove(this.orientationTopClass);
    if (!this.element.open) {
      return;
    }

    const { style } = this.menuTarget;
    style.translate = '';

    const { bottom, left, right } = this.menuTarget.getBoundingClientRect();
    this.element.classList.toggle(this.orientationTopClass,
                                  this.#limit() - bottom < ROOM_BELOW);
    style.setProperty('--max-width', `${Math.round(window.innerWidth - left)}px`);
    if (right > window.innerWidth - MARGIN) {
      style.translate = `${Math.floor(window.innerWidth - MARGIN - right)}px 0`;
    } else if (left < MARGIN) {
      style.translate = `${Math.ceil(MARGIN - left)}px 0`;
    }
  }

  close(event) {
    if (!this.element.open) {
      return;
    }

    if (event?.type === 'keydown') {
      event.stopPropagation();
      this.element.querySelector('summary')?.focus();
    }
    this.element.open = false;
  }

  closeOnClickOutside({ target }) {
    if (this.element.open && !this.element.contains(target)) {
      this.element.open = false;
    }
  }

  // The composer covers what is below the list.
  #limit() {
    const list = this.element.closest('.messages');
    return list ? list.getBoundingClientRect().bottom : window.innerHeight;
  }

  #move = (event) => {
    const by = {
      ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1,
    }[event.key];

    if (!by || !this.element.open) {
      return;
    }

    const items = [...this.menuTarget.querySelectorAll('a[href], button:not([disabled])')]
      .filter((item) => item.offsetParent !== null);
    const index = items.indexOf(document.activeElement);
    const next = index < 0 ? (by > 0 ? 0 : items.length - 1)
                           : (index + by + items.length) % items.length;

    if (items.length > 0) {
      event.preventDefault();
      event.stopPropagation();
      items[next].focus();
    }
  };
}
