const LIFETIME = 5000;

// Who was said to be writing, by id; forgotten when nothing more is heard.
export class TypingPeople {
  #people = new Map();

  add({ id, name }, now) {
    this.#people.set(id, { name, since: now });
  }

  remove({ id }) {
    this.#people.delete(id);
  }

  names(now) {
    for (const [id, { since }] of this.#people) {
      if (now - since >= LIFETIME) {
        this.#people.delete(id);
      }
    }
    return [...this.#people.values()].map(({ name }) => name)
      .sort((a, b) => a.localeCompare(b)).join(', ');
  }
}
