import { Controller } from '@hotwired/stimulus';
import { formatTime } from '../lib/local_time.js';

// Fills <time datetime="…"> targets in the browser's language and zone.
export default class extends Controller {
  static targets = ['time', 'date', 'datetime'];

  timeTargetConnected(element) {
    this.#fill(element, 'time');
  }

  dateTargetConnected(element) {
    this.#fill(element, 'date');
  }

  datetimeTargetConnected(element) {
    this.#fill(element, 'datetime');
  }

  #fill(element, style) {
    const iso = element.getAttribute('datetime');
    element.textContent = formatTime(iso, style);
    element.title = formatTime(iso, 'datetime');
  }
}
