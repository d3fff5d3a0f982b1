import { Controller } from '@hotwired/stimulus';
import { subscribe } from '../lib/cable.js';

// A room was looked at, in this tab or elsewhere.
export default class extends Controller {
  #channel = null;

  connect() {
    this.#channel = subscribe({ channel: 'ReadRoomsChannel' }, {
      received: ({ room_id: roomId, at }) => this.dispatch('read', { detail: { roomId, at } }),
    });
  }

  disconnect() {
    this.#channel?.unsubscribe();
    this.#channel = null;
  }
}
