import { Controller } from '@hotwired/stimulus';
import { sortEntries } from '../lib/sorting.js';
import { throttle } from '../lib/timing.js';

export default class extends Controller {
  static targets = ['item'];

  static values = { order: { type: String, default: 'name' } };

  #sort = throttle(() => this.#sortNow(), 1000);

  disconnect() {
    this.#sort.cancel();
  }

  itemTargetConnected() {
    this.#sort();
  }

  // Something happened in this entry's room: it goes to the front.
  bump({ target, detail }) {
    const item = this.itemTargets.find((entry) => entry === target
      || Number(entry.dataset.roomId) === Number(detail?.roomId));

    if (item && this.orderValue === 'number') {
      item.dataset.sortedListNumber = Date.now();
      this.#sort();
    }
  }

  // Only what is out of place is moved, so that focus and hover stay.
  #sortNow() {
    const entries = this.itemTargets.map((element) => ({
      element,
      name: element.dataset.sortedListName ?? '',
      number: Number(element.dataset.sortedListNumber) || 0,
    }));

    let previous = null;
    for (const { element } of sortEntries(entries, this.orderValue)) {
      if (previous ? previous.nextElementSibling !== element
                   : this.element.firstElementChild !== element) {
        if (previous) {
          previous.after(element);
        } else {
          this.element.prepend(element);
        }
      }
      previous = element;
    }
  }
}
