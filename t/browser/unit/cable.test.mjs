import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SerialQueue } from '../../../templates/assets/src/lib/serial_queue.js';
import { SharedSubscriptions } from '../../../templates/assets/src/lib/shared_subscriptions.js';
import { throttle } from '../../../templates/assets/src/lib/timing.js';
import { Uploads } from '../../../templates/assets/src/lib/uploads.js';

const sleep = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });

test('streams are applied in the order they came', async () => {
  const queue = new SerialQueue();
  const done = [];

  queue.push(async () => { await sleep(20); done.push('append'); });
  queue.push(() => { done.push('remove'); });
  await queue.push(async () => { done.push('last'); });
  assert.deepEqual(done, ['append', 'remove', 'last']);
});

test('one that fails does not stop the next', async () => {
  const queue = new SerialQueue();
  const failed = queue.push(() => { throw new Error('bad'); });

  assert.equal(await queue.push(() => 'good'), 'good');
  await assert.rejects(failed, /bad/);
});

test('holders of one identifier share a subscription', async () => {
  const server = fakeServer();
  const shared = new SharedSubscriptions(server.create, 10);
  const seen = [];
  const first = shared.subscribe({ channel: 'A' }, {
    connected: () => seen.push('first'),
    received: (message) => seen.push(`first ${message}`),
  });

  server.last.connected();
  shared.subscribe({ channel: 'A' }, {
    connected: () => seen.push('second'),
    received: (message) => seen.push(`second ${message}`),
  });
  await sleep(0);
  server.last.received('hello');
  first.unsubscribe();
  server.last.received('bye');

  assert.equal(server.created, 1);
  assert.deepEqual(seen, ['first', 'second', 'first hello', 'second hello', 'second bye']);
});

test('the server hears of a leave only when it lasts', async () => {
  const server = fakeServer();
  const shared = new SharedSubscriptions(server.create, 10);
  const first = shared.subscribe({ channel: 'A' }, {});

  first.unsubscribe();
  const second = shared.subscribe({ channel: 'A' }, {});
  await sleep(30);
  assert.equal(server.closed, 0);

  second.unsubscribe();
  second.unsubscribe();
  await sleep(30);
  assert.equal(server.closed, 1);

  shared.subscribe({ channel: 'A' }, {});
  assert.equal(server.created, 2);
});

test('nothing is performed or heard after a leave', () => {
  const server = fakeServer();
  const shared = new SharedSubscriptions(server.create, 10);
  const holder = shared.subscribe({ channel: 'A' }, {
    connected: () => assert.fail('heard'),
  });

  holder.perform('start');
  holder.unsubscribe();
  holder.perform('stop');
  server.last.connected();
  assert.deepEqual(server.performed, ['start']);
});

test('a refused subscription may be tried again', () => {
  const server = fakeServer();
  const shared = new SharedSubscriptions(server.create, 10);

  shared.subscribe({ channel: 'A' }, {});
  server.last.rejected();
  shared.subscribe({ channel: 'A' }, {});
  assert.equal(server.created, 2);
});

test('throttled calls come at once and at the end, not in between', async () => {
  let calls = 0;
  const call = throttle(() => { calls += 1; }, 20);

  call(); call(); call();
  assert.equal(calls, 1);
  await sleep(30);
  assert.equal(calls, 2);
  call.cancel();
});

test('two uploads run at a time, and a failure frees its place', async () => {
  let running = 0;
  let most = 0;
  const uploads = new Uploads(async ({ name }) => {
    running += 1;
    most = Math.max(most, running);
    await sleep(5);
    running -= 1;
    if (name === 'b') {
      throw new Error('lost');
    }
    return name;
  });

  const results = await Promise.allSettled(['a', 'b', 'c', 'd'].map((name) => uploads.add({ name })));
  assert.equal(most, 2);
  assert.deepEqual(results.map(({ status, value }) => value ?? status), ['a', 'rejected', 'c', 'd']);
});


function fakeServer() {
  const server = {
    closed: 0, created: 0, last: null, performed: [],
    create(identifier, callbacks) {
      server.created += 1;
      server.last = callbacks;
      return {
        perform: (action) => server.performed.push(action),
        unsubscribe: () => { server.closed += 1; },
      };
    },
  };
  return server;
}
