import { Controller } from '@hotwired/stimulus';

export default class extends Controller {
  static targets = ['cancel'];

  submit(event) {
    if (event?.type === 'keydown') {
      event.preventDefault();
    }
    this.element.requestSubmit();
  }

  cancel(event) {
    if (event?.defaultPrevented || event?.isComposing) {
      return;             // Escape has closed something inside
    }
    this.cancelTarget.click();
  }

  preventAttachment(event) {
    event.preventDefault();
  }
}
