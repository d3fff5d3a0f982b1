/*
 * The pages of a list of messages: which part of the room it shows, and
 * fetching more when an end comes into view. The list never holds much more
 * than LIMIT messages; what is taken off at the bottom makes it lack the
 * newest ones.
 */

import { get } from './request.js';

const LIMIT = 300;
const SLACK = 20;
const AHEAD = '400px 0px';

export class MessagePager {
  #changes;
  #changed;
  #edges;
  #list;
  #loading = false;
  #missed = false;
  #noOlder = false;
  #running = false;
  #scroller;
  #upToDate;
  #url;

  // `changed` is called when the list has caught up with the room.
  constructor({ list, scroller, url, upToDate, changed }) {
    this.#changed = changed;
    this.#list = list;
    this.#scroller = scroller;
    this.#upToDate = upToDate;
    this.#url = url;
  }

  start() {
    this.#running = true;
    this.#edges = new IntersectionObserver((entries) => this.#seen(entries),
                                           { root: this.#list, rootMargin: AHEAD });
    this.#changes = new MutationObserver(() => this.#watch());
    this.#changes.observe(this.#list, { childList: true });
    this.#watch();
  }

  stop() {
    this.#running = false;
    this.#edges?.disconnect();
    this.#changes?.disconnect();
  }

  // Does the list end with the room's newest message?
  get upToDate() {
    return this.#upToDate;
  }

  // There is something newer that the list did not take.
  miss() {
    this.#upToDate = false;
    this.#missed = true;
  }

  // The newest page, in place of everything but what is not sent yet.
  async loadLatest() {
    const page = await this.#fetch({});
    if (page === null) {
      return false;
    }

    await this.#scroller.change(() => {
      const ids = new Set(page.map((message) => message.id));
      const own = [...this.#list.querySelectorAll(
        ':scope > .message[data-client-message-id]:not([data-message-id])')];

      this.#list.replaceChildren(...page, ...own.filter((message) => !ids.has(message.id)));
      this.#noOlder = false;
      this.#upToDate = true;
      this.#missed = false;
      this.#scroller.toEnd();
    });
    return true;
  }

  trimStart() {
    return this.#surplus > SLACK
         ? this.#scroller.keepFromEnd(() => this.#trim('firstElementChild')) : null;
  }

  #watch() {
    const { firstElementChild: first, lastElementChild: last } = this.#list;

    this.#edges.disconnect();
    if (first) {
      this.#edges.observe(first);
    }
    if (last && last !== first) {
      this.#edges.observe(last);
    }
  }

  #seen(entries) {
    const visible = entries.filter((entry) => entry.isIntersecting)
      .map((entry) => entry.target);

    if (visible.includes(this.#list.lastElementChild)) {
      if (this.#upToDate) {
        this.#changed();
      } else {
        this.#loadNewer();
      }
    }
    if (visible.includes(this.#list.firstElementChild)) {
      this.#loadOlder();
    }
  }

  #loadOlder() {
    const first = this.#list.firstElementChild;
    const id = first?.dataset.messageId;

    if (!id || this.#noOlder) {
      return null;
    }
    return this.#busy(async () => {
      const page = await this.#fetch({ before: id });
      if (page === null) {
        return;
      }
      if (page.length === 0) {
        this.#noOlder = true;
        return;
      }

      await this.#scroller.keepFromEnd(() => first.isConnected && first.before(...this.#new(page)));
      if (this.#surplus > SLACK) {
        await this.#scroller.keepFromStart(() => {
          this.#trim('lastElementChild');
          this.#upToDate = false;
        });
      }
    });
  }

  #loadNewer() {
    const last = this.#lastSent;
    const id = last?.dataset.messageId;

    if (!id) {
      return null;
    }
    return this.#busy(async () => {
      this.#missed = false;
      const page = await this.#fetch({ after: id });
      if (page === null) {
        return;
      }
      if (page.length > 0) {
        await this.#scroller.keepFromStart(() => last.isConnected && last.after(...this.#new(page)));
        await this.trimStart();
      } else if (!this.#missed) {
        this.#upToDate = true;
        this.#changed();
      }
    });
  }

  // One request at a time. Screen readers are not told about history.
  async #busy(load) {
    if (this.#loading) {
      return;
    }

    this.#loading = true;
    this.#list.setAttribute('aria-busy', 'true');
    try {
      await load();
    } finally {
      this.#loading = false;
      this.#list.removeAttribute('aria-busy');
      if (this.#running) {
        this.#watch();
      }
    }
  }

  // Elements, none when there are no more; null when it did not work.
  async #fetch(parameters) {
    const url = new URL(this.#url, window.location.href);
    for (const [name, value] of Object.entries(parameters)) {
      url.searchParams.set(name, value);
    }

    try {
      const response = await get(url);
      if (response.status === 204) {
        return [];
      }
      if (!response.ok || response.redirected) {
        return null;
      }

      const template = document.createElement('template');
      template.innerHTML = await response.text();
      return this.#running ? [...document.importNode(template.content, true).children] : null;
    } catch {
      return null;
    }
  }

  #new(page) {
    return page.filter((message) => !message.id || !this.#list.querySelector(`#${CSS.escape(message.id)}`));
  }

  get #lastSent() {
    return [...this.#list.children].findLast((message) => message.dataset.messageId);
  }

  get #surplus() {
    return this.#list.childElementCount - LIMIT;
  }

  #trim(end) {
    for (let surplus = this.#surplus; surplus > 0; surplus--) {
      this.#list[end].remove();
    }
    if (end === 'firstElementChild') {
      this.#noOlder = false;
    }
  }
}
