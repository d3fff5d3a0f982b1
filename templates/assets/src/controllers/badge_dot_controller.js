import { Controller } from '@hotwired/stimulus';
import { showUnreadCount } from '../lib/unread_count.js';

// The number of unread rooms, on the app's icon and in the title.
export default class extends Controller {
  static targets = ['unread'];

  connect() {
    document.addEventListener('turbo:load', this.#refresh);
  }

  disconnect() {
    document.removeEventListener('turbo:load', this.#refresh);
  }

  unreadTargetConnected() {
    this.update();
  }

  unreadTargetDisconnected() {
    this.update();
  }

  // Once for all changes of the moment.
  update() {
    if (!this.scheduled) {
      this.scheduled = true;
      queueMicrotask(() => {
        this.scheduled = false;
        this.#refresh();
      });
    }
  }

  #refresh = () => {
    if (this.element.isConnected) {
      showUnreadCount(this.unreadTargets.filter((room) =>
        room.classList.contains('unread')).length);
    }
  };
}
