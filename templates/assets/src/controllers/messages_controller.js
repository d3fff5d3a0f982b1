import { Controller } from '@hotwired/stimulus';
import { placeOf } from '../lib/grouping.js';
import { MessageFormatter } from '../lib/message_formatter.js';
import { MessagePager } from '../lib/message_pager.js';
import { Scroller } from '../lib/scroller.js';
import { escapeHtml, fillTemplate } from '../lib/text_template.js';
import { nextFrameOrTick } from '../lib/timing.js';

const LIVE = 10_000;

// The list of a room's messages: how they look, where they stand, what comes
// and goes, and the menus on them.
export default class extends Controller {
  static targets = ['actionsMenuTemplate', 'body', 'latest', 'message', 'messages', 'template'];

  static classes = ['firstOfDay', 'formatted', 'me', 'mentioned', 'threaded'];

  static values = { pageUrl: String };

  #atEnd = true;
  #formatter = null;
  #listeners = null;
  #pager = null;
  #played = new Set();
  #regrouping = false;
  #sizes = null;

  initialize() {
    this.#formatter = new MessageFormatter({
      firstOfDay: this.firstOfDayClass,
      formatted: this.formattedClass,
      me: this.meClass,
      mentioned: this.mentionedClass,
      threaded: this.threadedClass,
    });
  }

  connect() {
    const list = this.messagesTarget;
    const linked = this.#linkedMessage;

    this.#pager = new MessagePager({
      list,
      scroller: this.#scroller,
      url: this.pageUrlValue,
      upToDate: linked === null,
      changed: () => { this.latestTarget.hidden = true; },
    });

    if (linked) {
      linked.classList.add('search-highlight');
      linked.scrollIntoView({ behavior: 'instant', block: 'center' });
    } else {
      this.#scroller.toEnd();
    }
    this.#atEnd = linked === null;
    this.#pager.start();
    this.#stayAtEnd();
    this.#listen(this.element, 'refresh-room:gap', (event) => this.#closeGap(event.detail));
  }

  disconnect() {
    this.#listeners?.abort();
    this.#listeners = null;
    this.#sizes?.disconnect();
    this.#pager?.stop();
    this.#pager = null;
  }

  messageTargetConnected(element) {
    this.#formatter.format(element);
    this.#regroup();
  }

  messageTargetDisconnected() {
    this.#regroup();
  }

  // A body comes alone when its message was edited.
  bodyTargetConnected(element) {
    const message = element.closest('.message');
    if (message?.classList.contains(this.formattedClass)) {
      this.#formatter.format(message);
    }
  }

  beforeStreamRender(event) {
    const { newStream, render } = event.detail;

    if (newStream.getAttribute('target') !== this.messagesTarget.id
        || newStream.getAttribute('action') !== 'append' || !this.#pager) {
      return;
    }

    const incoming = [...newStream.templateElement.content.children];
    if (incoming.every((message) => this.#isShown(message))) {
      event.preventDefault();           // answer and broadcast bring the same
    } else if (!this.#pager.upToDate && !incoming.every((message) => this.#find(message.id))) {
      event.preventDefault();           // would leave a gap
      this.#pager.miss();
      this.latestTarget.hidden = false;
    } else {
      event.detail.render = (stream) => this.#append(stream, render, incoming);
    }
  }

  async returnToLatest() {
    this.latestTarget.hidden = true;
    if (!this.#pager.upToDate && !await this.#pager.loadLatest()) {
      this.latestTarget.hidden = false;
      return;
    }
    await this.#scroller.change(() => this.#scroller.toEnd());
  }

  buildActions({ currentTarget }) {
    if (currentTarget.open) {
      this.#buildMenu(currentTarget);
    }
  }

  editLastMessage(event) {
    if (event.defaultPrevented || event.shiftKey || event.ctrlKey || event.metaKey
        || event.altKey || event.isComposing || !this.#pager?.upToDate
        || !this.#composerIsEmpty(event.target)) {
      return;
    }

    const last = this.messageTargets.findLast((message) =>
      message.dataset.messageId && message.classList.contains(this.meClass));
    const details = last?.querySelector('.message__actions details');
    if (details) {
      event.preventDefault();
      this.#buildMenu(details);
      details.querySelector('.message__edit-btn')?.click();
    }
  }

  // The following are for the composer.

  // Shows a message that is being sent. `body` is HTML fit for the page.
  async insertPendingMessage(clientId, body, { emoji = false } = {}) {
    if (this.#pager && !this.#pager.upToDate) {
      await this.#pager.loadLatest();
    }

    const now = new Date();
    const html = fillTemplate(this.templateTarget.innerHTML, {
      clientMessageId: clientId,
      body,
      messageTimestamp: now.getTime(),
      messageDatetime: now.toISOString(),
      messageClasses: emoji ? 'message--emoji' : '',
    });

    await this.#scroller.change(() => {
      this.messagesTarget.insertAdjacentHTML('beforeend', html);
      this.#scroller.toEnd();
    });
  }

  updatePendingMessage(clientId, update) {
    const body = this.#findPending(clientId)?.querySelector(`#presentation_message_${clientId}`);
    if (body) {
      update(body);
    }
  }

  failPendingMessage(clientId, actions) {
    const message = this.#findPending(clientId);
    if (message) {
      message.classList.add('message--failed');
      message.querySelector('.message__body-content')?.append(buttons(actions));
      this.#scroller.change((nearEnd) => nearEnd && this.#scroller.toEnd());
    }
  }

  retryPendingMessage(clientId) {
    const message = this.#findPending(clientId);
    message?.classList.remove('message--failed');
    message?.querySelector('.message__failed-actions')?.remove();
  }

  removePendingMessage(clientId) {
    this.#findPending(clientId)?.remove();
  }

  #append(stream, render, incoming) {
    return this.#scroller.change(async (nearEnd) => {
      await render(stream);
      await Promise.resolve();          // lets the new messages be formatted

      const added = incoming.map(({ id }) => this.#find(id)).filter(Boolean);
      added.forEach((message) => this.#place(message));

      if (nearEnd) {
        this.#scroller.toEnd();
      } else if (!added.every((message) => message.classList.contains(this.meClass))) {
        this.latestTarget.hidden = false;
      }
      this.#playSound(added.at(-1));
    }).then(() => this.#pager?.upToDate && this.#scroller.nearEnd && this.#pager.trimStart());
  }

  // Messages may arrive in another order than they were written.
  #place(message) {
    const elder = [...this.messagesTarget.children];
    elder.length = elder.indexOf(message);

    const index = placeOf(elder.map((other) => sortValue(other)), sortValue(message));
    if (index < elder.length) {
      elder[index].before(message);
    }
  }

  async #playSound(message) {
    const sound = message?.querySelector('.sound');
    const age = Date.now() - Number(message?.dataset.messageTimestamp);

    if (sound && message === this.messagesTarget.lastElementChild && age <= LIVE
        && document.visibilityState === 'visible' && !this.#played.has(message.id)) {
      this.#played.add(message.id);
      await nextFrameOrTick();
      this.dispatch('play', { target: sound, bubbles: false });
    }
  }

  // More was missed than one answer brings. Who reads elsewhere is left alone.
  async #closeGap({ certain }) {
    if (!this.#pager?.upToDate) {
      return;
    }

    if (this.#scroller.nearEnd) {
      await this.#pager.loadLatest();
    } else {
      this.#pager.miss();
      this.latestTarget.hidden = !certain && this.latestTarget.hidden;
    }
  }

  // Grouping looks at the message before: once for all changes of the moment.
  #regroup() {
    if (!this.#regrouping) {
      this.#regrouping = true;
      queueMicrotask(() => {
        this.#regrouping = false;
        this.messageTargets.forEach((message) => this.#formatter.group(message));
      });
    }
  }

  // Pictures that load and a keyboard that opens do not hide the newest.
  #stayAtEnd() {
    const list = this.messagesTarget;
    const stay = () => this.#atEnd && this.#pager?.upToDate && this.#scroller.toEnd();

    this.#listen(list, 'scroll', () => { this.#atEnd = this.#scroller.fromEnd <= 2; },
                 { passive: true });
    this.#listen(list, 'load', stay, { capture: true });
    this.#sizes = new ResizeObserver(stay);
    this.#sizes.observe(list);
  }

  #listen(target, name, listener, options = {}) {
    this.#listeners ??= new AbortController();
    target.addEventListener(name, listener, { ...options, signal: this.#listeners.signal });
  }

  #buildMenu(details) {
    const menu = details.querySelector('[data-popup-target="menu"]');
    const actions = details.closest('.message__actions');
    const message = details.closest('.message');
    if (menu.childElementCount > 0) {
      return;
    }

    const { clientId, fileName, fileUrl, link } = actions.dataset;
    const values = { clientMessageId: clientId, fileName, fileUrl, link,
                     messageId: message.dataset.messageId };
    const escaped = Object.entries(values).map(([name, value]) => [name, escapeHtml(value ?? '')]);
    const template = document.createElement('template');

    template.innerHTML = fillTemplate(this.actionsMenuTemplateTarget.innerHTML,
                                      Object.fromEntries(escaped));
    for (const item of template.content.querySelectorAll('[data-actions-for]')) {
      const fits = item.dataset.actionsFor === 'file' ? Boolean(fileUrl) : fileName === undefined;
      if (!fits) {
        item.remove();
      }
    }
    menu.append(template.content);
  }

  #composerIsEmpty(target) {
    const editor = document.querySelector('#composer lexxy-editor');

    if (!editor?.isEmpty || document.querySelector('dialog[open], details[open]')) {
      return false;
    }
    return editor.contains(target)
        || !target.closest?.('input, textarea, select, [contenteditable]:not([contenteditable="false"])');
  }

  #isShown(message) {
    const shown = this.#find(message.id);
    return Boolean(shown?.dataset.messageId)
        && shown.dataset.messageUpdatedAt === message.dataset.messageUpdatedAt;
  }

  #find(id) {
    return id ? this.messagesTarget.querySelector(`:scope > #${CSS.escape(id)}`) : null;
  }

  #findPending(clientId) {
    const message = this.#find(`message_${clientId}`);
    return message && !message.dataset.messageId ? message : null;
  }

  get #linkedMessage() {
    const id = /\/@(\d+)\/?$/.exec(window.location.pathname)?.[1];
    return this.messageTargets.find((message) => id && message.dataset.messageId === id) ?? null;
  }

  get #scroller() {
    return Scroller.of(this.messagesTarget);
  }
}

function sortValue(message) {
  return message.dataset.sortValue === undefined ? NaN : Number(message.dataset.sortValue);
}

// { Label: callback }
function buttons(actions) {
  const row = document.createElement('div');
  row.className = 'message__failed-actions flex gap';

  for (const [label, callback] of Object.entries(actions)) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'btn txt-small';
    button.textContent = label;
    button.addEventListener('click', callback);
    row.append(button);
  }
  return row;
}
