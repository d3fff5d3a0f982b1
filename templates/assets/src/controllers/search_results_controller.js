import { Controller } from '@hotwired/stimulus';
import { MessageFormatter } from '../lib/message_formatter.js';

// Messages that were found, without threads and days.
export default class extends Controller {
  static targets = ['message'];

  static classes = ['formatted', 'me', 'mentioned'];

  #formatter = null;

  initialize() {
    this.#formatter = new MessageFormatter({
      formatted: this.hasFormattedClass ? this.formattedClass : 'message--formatted',
      me: this.hasMeClass ? this.meClass : 'message--me',
      mentioned: this.hasMentionedClass ? this.mentionedClass : 'message--mentioned',
    });
  }

  connect() {
    this.element.scrollTop = this.element.scrollHeight;
  }

  messageTargetConnected(element) {
    this.#formatter.format(element);
  }
}
