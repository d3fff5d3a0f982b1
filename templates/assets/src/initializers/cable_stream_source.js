import { subscribe } from '../lib/cable.js';
import { applyStreams } from '../lib/stream_channel.js';

// <turbo-cable-stream-source channel="…" signed-stream-name="…">: subscribes
// while it is in the page; has the attribute `connected` while that is live.
// Further data-* attributes become parameters.
class CableStreamSource extends HTMLElement {
  static observedAttributes = ['channel', 'signed-stream-name'];

  #subscription = null;

  connectedCallback() {
    if (this.#subscription || !this.hasAttribute('channel')) {
      return;
    }

    this.#subscription = subscribe(this.#identifier, {
      connected: () => this.setAttribute('connected', ''),
      disconnected: () => this.removeAttribute('connected'),
      rejected: () => this.removeAttribute('connected'),
      received: (html) => applyStreams(html),
    });
  }

  disconnectedCallback() {
    this.#subscription?.unsubscribe();
    this.#subscription = null;
    this.removeAttribute('connected');
  }

  attributeChangedCallback(name, before, after) {
    if (this.#subscription && before !== after) {
      this.disconnectedCallback();
      this.connectedCallback();
    }
  }

  get #identifier() {
    const identifier = {
      channel: this.getAttribute('channel'),
      signed_stream_name: this.getAttribute('signed-stream-name'),
    };

    for (const { name, value } of this.attributes) {
      if (name.startsWith('data-')) {
        identifier[name.slice(5).replaceAll('-', '_')] = value;
      }
    }
    return identifier;
  }
}

if (!customElements.get('turbo-cable-stream-source')) {
  customElements.define('turbo-cable-stream-source', CableStreamSource);
}
