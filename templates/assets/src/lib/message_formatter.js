/*
 * Messages come the same for everybody. What depends on who looks, when and
 * at what stands before is added here.
 */

import { highlightBlocks } from './code.js';
import { isFirstOfDay, isThreaded } from './grouping.js';
import { currentUserId, mountPrefix } from './page.js';

export class MessageFormatter {
  #classes;

  // { formatted, me, mentioned, threaded, firstOfDay }; the last two are for
  // lists without gaps.
  constructor(classes) {
    this.#classes = classes;
  }

  format(message) {
    const { formatted, me, mentioned } = this.#classes;
    const userId = currentUserId();

    if (message.dataset.userId) {
      message.classList.toggle(me, Number(message.dataset.userId) === userId);
      message.classList.toggle(mentioned, mentions(message, userId));
    }
    this.group(message);
    this.formatBody(message);
    message.classList.add(formatted);
  }

  // Depends on the message before; again when that changes.
  group(message) {
    const { firstOfDay, threaded } = this.#classes;
    if (!threaded || !message.dataset.messageTimestamp) {
      return;
    }

    const previous = describe(message.previousElementSibling);
    const current = describe(message);
    message.classList.toggle(threaded, isThreaded(previous, current));
    message.classList.toggle(firstOfDay, isFirstOfDay(previous, current));
  }

  // What may be replaced by itself when a message is edited.
  formatBody(root) {
    for (const link of root.querySelectorAll('.lexxy-content a[href], .og-embed a[href]')) {
      formatLink(link);
    }
    highlightBlocks(root.querySelectorAll('.lexxy-content pre'));
  }
}

function describe(element) {
  if (!element?.dataset.messageTimestamp) {
    return null;
  }
  return {
    userId: element.dataset.userId,
    time: Number(element.dataset.messageTimestamp),
  };
}

function mentions(message, userId) {
  const path = `${mountPrefix()}/users/${userId}`;

  return userId !== null && [...message.querySelectorAll('.mention a[href]')]
    .some((link) => link.pathname === path && link.origin === window.location.origin);
}

function formatLink(link) {
  if (link.origin === window.location.origin) {
    link.target = '_top';
  } else {
    link.target = '_blank';
    link.rel = 'noreferrer noopener';
  }
}
