import { Controller } from '@hotwired/stimulus';
import { currentUserId } from '../lib/page.js';

// One's own boost shows a button to delete it when it is chosen.
export default class extends Controller {
  static targets = ['button', 'content'];

  static classes = ['perform', 'reveal'];

  static values = { boosterId: Number };

  connect() {
    if (this.#mine) {
      this.contentTarget.tabIndex = 0;
      this.contentTarget.setAttribute('aria-describedby', 'delete_boost_accessible_label');
    }
  }

  reveal() {
    if (this.#mine) {
      const revealed = this.element.classList.toggle(this.revealClass);
      if (revealed) {
        this.buttonTarget.focus();
      }
    }
  }

  perform() {
    this.element.classList.add(this.performClass);
  }

  get #mine() {
    return currentUserId() === this.boosterIdValue;
  }
}
