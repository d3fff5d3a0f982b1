const LINGER = 100;

// `create(identifier, callbacks)` makes the real subscription.
export class SharedSubscriptions {
  #create;
  #linger;
  #entries = new Map();

  constructor(create, linger = LINGER) {
    this.#create = create;
    this.#linger = linger;
  }

  subscribe(identifier, callbacks) {
    const key = JSON.stringify(identifier);
    const entry = this.#entries.get(key) ?? this.#open(key, identifier);
    const holder = { callbacks };

    clearTimeout(entry.timer);
    entry.holders.add(holder);

    if (entry.connected) {
      queueMicrotask(() => {
        if (entry.connected && entry.holders.has(holder)) {
          callbacks.connected?.();
        }
      });
    }

    return {
      perform: (action, data) => {
        if (entry.holders.has(holder)) {
          entry.subscription.perform(action, data);
        }
      },
      unsubscribe: () => {
        if (entry.holders.delete(holder) && entry.holders.size === 0) {
          entry.timer = setTimeout(() => this.#close(key, entry), this.#linger);
        }
      },
    };
  }

  #open(key, identifier) {
    const entry = {
      connected: false, holders: new Set(), subscription: null, timer: null,
    };
    const tell = (name, ...args) => {
      for (const holder of [...entry.holders]) {
        if (entry.holders.has(holder)) {
          holder.callbacks[name]?.(...args);
        }
      }
    };

    this.#entries.set(key, entry);
    entry.subscription = this.#create(identifier, {
      connected() {
        entry.connected = true;
        tell('connected');
      },
      disconnected() {
        entry.connected = false;
        tell('disconnected');
      },
      rejected: () => {
        entry.connected = false;
        this.#entries.delete(key);
        tell('rejected');
      },
      received(message) {
        tell('received', message);
      },
    });
    return entry;
  }

  #close(key, entry) {
    if (entry.holders.size === 0 && this.#entries.get(key) === entry) {
      this.#entries.delete(key);
      entry.subscription.unsubscribe();
    }
  }
}
