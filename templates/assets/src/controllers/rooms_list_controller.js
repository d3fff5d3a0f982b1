import { Controller } from '@hotwired/stimulus';
import { subscribe } from '../lib/cable.js';
import { currentRoomId } from '../lib/page.js';

const MOVING = 50;
const PICKER = 'direct_rooms_control';

/*
 * The sidebar: which rooms have something new. It loads anew after each
 * connection, because notices that came in between are lost, but never before
 * its first load has ended and never over a ping that is being started.
 */
export default class extends Controller {
  static targets = ['room'];

  static classes = ['unread'];

  #channel = null;
  #generation = 0;
  #leaving = null;
  #live = false;
  #readAt = new Map();
  #replacePicker = false;

  connect() {
    clearTimeout(this.#leaving);
    this.#channel ??= subscribe({ channel: 'UnreadRoomsChannel' }, {
      connected: () => this.#connected(),
      disconnected: () => this.#disconnected(),
      received: (notice) => this.#unread(notice),
    });

    document.addEventListener('turbo:load', this.#markCurrent);
    document.addEventListener('turbo:before-frame-render', this.#beforeFrameRender);
    this.element.addEventListener('click', this.#clicked, true);
  }

  // The frame may only be on its way into the next page.
  disconnect() {
    document.removeEventListener('turbo:load', this.#markCurrent);
    document.removeEventListener('turbo:before-frame-render', this.#beforeFrameRender);
    this.element.removeEventListener('click', this.#clicked, true);

    clearTimeout(this.#leaving);
    this.#leaving = setTimeout(() => {
      this.#disconnected();
      this.#channel?.unsubscribe();
      this.#channel = null;
    }, MOVING);
  }

  roomTargetConnected(room) {
    markCurrent(room);
  }

  // From `presence:present` and `read-rooms:read`.
  read({ detail: { roomId, at } }) {
    this.#readAt.set(Number(roomId), at ?? Date.now());
    this.#mark(roomId, false);
    this.dispatch('read', { detail: { roomId } });
  }

  loaded(event) {
    if (event.target === this.element && currentRoomId() !== null) {
      this.#mark(currentRoomId(), false);
      this.dispatch('read', { detail: { roomId: currentRoomId() } });
    }
  }

  #connected() {
    if (!this.#live) {
      this.#live = true;
      this.#generation += 1;
      this.#reload(this.#generation);
    }
  }

  #disconnected() {
    this.#live = false;
    this.#generation += 1;
  }

  // An answer that is on its way may be older than the connection: it is
  // waited for, then everything is asked for again.
  async #reload(generation) {
    try {
      await this.element.loaded;
    } catch {
      return;
    }

    if (generation === this.#generation && this.#live
        && this.element.isConnected && this.element.getAttribute('src')) {
      this.element.reload();
    }
  }

  #unread({ roomId, at }) {
    const readAt = this.#readAt.get(Number(roomId));
    const seen = Number(roomId) === currentRoomId()
              || (at !== undefined && readAt !== undefined && at <= readAt);

    if (!seen) {
      this.#mark(roomId, true);
    }
    this.dispatch('unread', {
      target: this.#find(roomId) ?? this.element,
      detail: { roomId },
    });
  }

  #mark(roomId, unread) {
    this.#find(roomId)?.classList.toggle(this.unreadClass, unread);
  }

  #find(roomId) {
    return this.roomTargets.find((room) => Number(room.dataset.roomId) === Number(roomId));
  }

  #markCurrent = () => this.roomTargets.forEach(markCurrent);

  // Leaving the picker on purpose: what comes next may replace it, once.
  #clicked = (event) => {
    if (event.target.closest?.('a[data-turbo-frame="user_sidebar"]')) {
      this.#replacePicker = true;
    }
  };

  #beforeFrameRender = (event) => {
    if (event.target !== this.element) {
      return;
    }

    const replace = this.#replacePicker;
    this.#replacePicker = false;
    const current = this.element.querySelector(`#${PICKER}`);
    const next = event.detail.newFrame?.querySelector(`#${PICKER}`);

    if (!replace && next && current?.querySelector('[data-controller~="autocomplete"]')) {
      const unmark = markPermanent([current, next]);
      const { render } = event.detail;

      event.detail.render = (...args) => {
        try {
          return render(...args);
        } finally {
          unmark();
        }
      };
    }
  };
}

// The frame stays from page to page.
function markCurrent(room) {
  if (Number(room.dataset.roomId) === currentRoomId()) {
    room.setAttribute('aria-current', 'page');
  } else {
    room.removeAttribute('aria-current');
  }
}

// Turbo keeps an element that is marked on both sides, and looks for marks
// before it calls the render function. Marks that were there stay.
function markPermanent(elements) {
  const marked = elements.filter((element) => !element.hasAttribute('data-turbo-permanent'));

  marked.forEach((element) => element.setAttribute('data-turbo-permanent', ''));
  return () => marked.forEach((element) => element.removeAttribute('data-turbo-permanent'));
}
