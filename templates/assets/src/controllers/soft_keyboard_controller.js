import { Controller } from '@hotwired/stimulus';
import { isTouchDevice } from '../lib/page.js';

// Phones show the keyboard only while a tap is handled, which is over when the
// real field has come from the server. An invisible one keeps it open.
export default class extends Controller {
  open(event) {
    if (!isTouchDevice()) {
      return;
    }

    const field = document.createElement('input');
    field.type = 'text';
    field.className = 'input--invisible';
    field.setAttribute('aria-hidden', 'true');
    field.addEventListener('focusout', () => field.remove(), { once: true });
    (event.currentTarget.parentElement ?? this.element).append(field);
    field.focus({ preventScroll: true });
  }
}
