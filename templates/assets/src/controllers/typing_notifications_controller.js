import { Controller } from '@hotwired/stimulus';
import { subscribe } from '../lib/cable.js';
import { currentUserId } from '../lib/page.js';
import { throttle } from '../lib/timing.js';
import { TypingPeople } from '../lib/typing_people.js';

// Tells others that something is being written, and shows who else is writing.
export default class extends Controller {
  static targets = ['author', 'indicator'];

  static classes = ['active'];

  static values = { roomId: Number };

  #announce = throttle(() => this.#channel?.perform('start'), 1000);
  #channel = null;
  #people = new TypingPeople();
  #timer = null;
  #typing = false;

  connect() {
    this.#channel = subscribe(
      { channel: 'TypingNotificationsChannel', room_id: this.roomIdValue },
      { received: (message) => this.#received(message) });
    this.#timer = setInterval(() => this.#show(), 1000);
  }

  disconnect() {
    clearInterval(this.#timer);
    this.#announce.cancel();
    this.#channel?.unsubscribe();
    this.#channel = null;
  }

  start({ target }) {
    if (target.isBlank) {
      this.stop();
    } else {
      this.#typing = true;
      this.#announce();
    }
  }

  stop() {
    this.#announce.cancel();
    if (this.#typing) {
      this.#typing = false;
      this.#channel?.perform('stop');
    }
  }

  #received({ action, user }) {
    if (user.id === currentUserId()) {
      return;
    }
    if (action === 'start') {
      this.#people.add(user, Date.now());
    } else {
      this.#people.remove(user);
    }
    this.#show();
  }

  #show() {
    if (!this.hasIndicatorTarget) {
      return;
    }
    const names = this.#people.names(Date.now());
    if (this.authorTarget.textContent !== names) {
      this.authorTarget.textContent = names;
    }
    this.indicatorTarget.classList.toggle(this.activeClass, names !== '');
  }
}
