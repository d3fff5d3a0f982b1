/*
 * The one socket of this tab and what is subscribed on it.
 *
 * Subscriptions are shared: the server ignores a second one with the same
 * identifier and would never confirm it. The last holder's leaving is told to
 * the server a moment later, so that a part of the page that only moves, or
 * the next page of the same room, finds the subscription alive.
 */

import { createConsumer } from '@rails/actioncable';
import { SharedSubscriptions } from './shared_subscriptions.js';
import { meta } from './page.js';

let consumer = null;

const shared = new SharedSubscriptions((identifier, callbacks) =>
  cable().subscriptions.create(identifier, callbacks));

// Callbacks: connected(), also at once if confirmed already; disconnected();
// received(message). After unsubscribe() none of them is called. Answers
// { perform(action, data), unsubscribe() }.
export function subscribe(identifier, callbacks) {
  return shared.subscribe(identifier, callbacks);
}

// The library's own timer would come only after several seconds.
export function reconnect() {
  const connection = consumer?.connection;

  if (connection?.monitor.isRunning()) {
    if (connection.isActive()) {
      connection.monitor.reconnectIfStale();
    } else {
      connection.open();
    }
  }
}

function cable() {
  consumer ??= createConsumer(meta('action-cable-url') ?? '/cable');
  return consumer;
}
