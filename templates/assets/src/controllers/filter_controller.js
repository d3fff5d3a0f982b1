import { Controller } from '@hotwired/stimulus';
import { debounce } from '../lib/timing.js';

// Narrows a list to the entries whose data-value contains what is typed.
export default class extends Controller {
  static targets = ['list'];

  static classes = ['active', 'selected'];

  #apply = debounce((text) => this.#filter(text), 300);

  disconnect() {
    this.#apply.cancel();
  }

  filter({ currentTarget, target }) {
    this.#apply((target ?? currentTarget).value);
  }

  #filter(text) {
    const wanted = text.trim().toLowerCase();
    const active = this.hasActiveClass ? this.activeClass : 'filter--active';
    const selected = this.hasSelectedClass ? this.selectedClass : 'selected';

    this.listTarget.classList.toggle(active, wanted !== '');
    for (const entry of this.listTarget.querySelectorAll('[data-value]')) {
      entry.classList.toggle(selected,
                             wanted !== '' && entry.dataset.value.toLowerCase().includes(wanted));
    }
  }
}
