import { Controller } from '@hotwired/stimulus';
import { limitGraphemes } from '../lib/graphemes.js';

// Counts what people call letters, where maxlength counts code units.
export default class extends Controller {
  static targets = ['input'];

  static values = { max: Number };

  check(event) {
    if (event?.isComposing) {
      return;
    }

    const { value } = this.inputTarget;
    const limited = limitGraphemes(value, this.maxValue);
    if (limited !== value) {
      this.inputTarget.value = limited;
    }
  }
}
