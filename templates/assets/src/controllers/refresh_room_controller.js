import { Controller } from '@hotwired/stimulus';
import { reconnect, subscribe } from '../lib/cable.js';
import { get } from '../lib/request.js';
import { applyStreams } from '../lib/stream_channel.js';

const PATIENCE = 5_000;
const LONG = 60_000;
const PAGE = 40;

/*
 * Keeps the room complete. The cable has no memory: after each connection and
 * each long absence the room asks for what it missed. When that may be more
 * than one answer holds, the event `gap` has the list start anew.
 */
export default class extends Controller {
  static targets = ['message'];

  static values = { loadedAt: Number, url: String };

  #channel = null;
  #hiddenAt = null;
  #latest = 0;
  #lostAt = null;
  #note = null;
  #offlineTimer = null;

  initialize() {
    this.#latest = this.loadedAtValue;
  }

  connect() {
    this.#latest = Math.max(this.#latest, this.loadedAtValue);
    this.#waitForConnection();
    this.#channel = subscribe({ channel: 'HeartbeatChannel' }, {
      connected: () => this.#connected(),
      disconnected: () => this.#disconnected(),
    });
  }

  disconnect() {
    clearTimeout(this.#offlineTimer);
    this.#note?.remove();
    this.#note = null;
    this.#channel?.unsubscribe();
    this.#channel = null;
  }

  messageTargetConnected(element) {
    const updatedAt = Number(element.dataset.messageUpdatedAt);
    if (updatedAt > this.#latest) {
      this.#latest = updatedAt;
    }
  }

  visibilityChanged() {
    if (document.visibilityState === 'hidden') {
      this.#hiddenAt ??= Date.now();
      return;
    }

    const away = this.#hiddenAt === null ? 0 : Date.now() - this.#hiddenAt;
    this.#hiddenAt = null;
    if (away > LONG) {
      this.dispatch('visible', { target: window });
      this.#refresh('visibility', away);
    }
  }

  online() {
    reconnect();
  }

  #connected() {
    const away = this.#lostAt === null ? 0 : Date.now() - this.#lostAt;

    this.#lostAt = null;
    clearTimeout(this.#offlineTimer);
    this.#note?.remove();
    this.#note = null;
    this.dispatch('online', { target: window });
    this.#refresh('connection', away);
  }

  #disconnected() {
    this.#lostAt ??= Date.now();
    this.#waitForConnection();
  }

  #waitForConnection() {
    clearTimeout(this.#offlineTimer);
    this.#offlineTimer = setTimeout(() => {
      this.#showNote();
      this.dispatch('offline', { target: window });
    }, PATIENCE);
  }

  #showNote() {
    if (this.#note || !this.element.isConnected) {
      return;
    }
    this.#note = document.createElement('p');
    this.#note.className = 'connection-note';
    this.#note.setAttribute('role', 'status');
    this.#note.textContent = 'Reconnecting…';
    this.element.parentElement.append(this.#note);
  }

  async #refresh(reason, away) {
    const url = new URL(this.urlValue, window.location.href);
    url.searchParams.set('since', Math.trunc(this.#latest));
    url.searchParams.set('reason', reason);

    try {
      const response = await get(url, { as: 'stream' });
      if (!response.ok || response.redirected || !this.#channel) {
        return;
      }

      const html = await response.text();
      if (!this.#channel) {
        return;
      }
      const many = countAppended(html) >= PAGE;
      if (many || away > LONG) {
        this.dispatch('gap', { detail: { certain: many } });
      }
      if (html) {
        await applyStreams(html);
      }
    } catch {
      // offline again: the next connection asks once more
    }
  }
}

function countAppended(html) {
  const template = document.createElement('template');
  template.innerHTML = html;

  return [...template.content.querySelectorAll('turbo-stream[action="append"] > template')]
    .reduce((count, { content }) => count + content.children.length, 0);
}
