// What was typed but not sent, per person and room, on this device only.

const PREFIX = 'campfire:draft:';
const MAX_AGE = 30 * 24 * 60 * 60 * 1000;
const MAX_SIZE = 64 * 1024;

export class Drafts {
  #storage;
  #now;

  constructor(storage, now = Date.now) {
    this.#storage = storage;
    this.#now = now;
  }

  load(userId, roomId) {
    return this.#read(key(userId, roomId))?.html ?? null;
  }

  // Drafts that are too large are not kept at all.
  save(userId, roomId, html) {
    if (html && html.length <= MAX_SIZE) {
      this.#attempt(() => this.#storage.setItem(
        key(userId, roomId), JSON.stringify({ at: this.#now(), html })));
    } else {
      this.clear(userId, roomId);
    }
  }

  clear(userId, roomId) {
    this.#attempt(() => this.#storage.removeItem(key(userId, roomId)));
  }

  #read(name) {
    return this.#attempt(() => {
      const draft = JSON.parse(this.#storage.getItem(name));
      return draft && this.#now() - draft.at < MAX_AGE ? draft : null;
    });
  }

  // Storage may be full, forbidden or written by somebody else.
  #attempt(action) {
    try {
      return action() ?? null;
    } catch {
      return null;
    }
  }
}

function key(userId, roomId) {
  return `${PREFIX}${userId}:${roomId}`;
}

export const drafts = new Drafts({
  getItem: (name) => localStorage.getItem(name),
  setItem: (name, value) => localStorage.setItem(name, value),
  removeItem: (name) => localStorage.removeItem(name),
});
