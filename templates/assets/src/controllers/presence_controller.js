import { Controller } from '@hotwired/stimulus';
import { subscribe } from '../lib/cable.js';

const REFRESH = 50_000;
const GRACE = 5_000;

// Tells the server that this room is being looked at, or no longer is.
export default class extends Controller {
  static values = { roomId: Number };

  #absent = false;
  #channel = null;
  #connected = false;
  #graceTimer = null;
  #refreshTimer = null;

  connect() {
    this.#absent = false;
    this.#channel = subscribe(
      { channel: 'PresenceChannel', room_id: this.roomIdValue },
      {
        connected: () => this.#begin(),
        disconnected: () => this.#end(),
      });

    window.addEventListener('pagehide', this.#leave);
    document.addEventListener('freeze', this.#leave);
    window.addEventListener('pageshow', this.#review);
    document.addEventListener('resume', this.#review);
  }

  disconnect() {
    window.removeEventListener('pagehide', this.#leave);
    document.removeEventListener('freeze', this.#leave);
    window.removeEventListener('pageshow', this.#review);
    document.removeEventListener('resume', this.#review);

    this.#end();
    this.#channel?.unsubscribe();
    this.#channel = null;
  }

  visibilityChanged() {
    this.#review();
  }

  // Subscribing has marked us present.
  #begin() {
    this.#connected = true;
    this.#absent = false;
    this.#schedule();
    this.dispatch('present', { detail: { roomId: this.roomIdValue } });
    this.#review();
  }

  #end() {
    this.#connected = false;
    clearInterval(this.#refreshTimer);
    clearTimeout(this.#graceTimer);
    this.#graceTimer = null;
  }

  #schedule() {
    clearInterval(this.#refreshTimer);
    this.#refreshTimer = setInterval(() => this.#channel?.perform('refresh'), REFRESH);
  }

  #review = () => {
    clearTimeout(this.#graceTimer);
    this.#graceTimer = null;
    if (!this.#connected) {
      return;
    }

    if (document.visibilityState === 'hidden') {
      this.#graceTimer = setTimeout(this.#leave, GRACE);
    } else if (this.#absent) {
      this.#absent = false;
      this.#channel?.perform('present');
      this.#schedule();
      this.dispatch('present', { detail: { roomId: this.roomIdValue } });
    }
  };

  #leave = () => {
    clearTimeout(this.#graceTimer);
    this.#graceTimer = null;
    if (this.#connected && !this.#absent) {
      this.#absent = true;
      clearInterval(this.#refreshTimer);
      this.#channel?.perform('absent');
    }
  };
}
