import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newClientId } from '../../../templates/assets/src/lib/client_id.js';
import { Drafts } from '../../../templates/assets/src/lib/drafts.js';
import { sendsMessage } from '../../../templates/assets/src/lib/keys.js';
import { TypingPeople } from '../../../templates/assets/src/lib/typing_people.js';

const enter = (more = {}) => ({
  key: 'Enter', altKey: false, ctrlKey: false, metaKey: false, shiftKey: false,
  isComposing: false, ...more,
});
const state = (more = {}) => ({ prompt: false, toolbar: false, touch: false, ...more });

test('Enter sends from a keyboard, but not from a phone or with the toolbar', () => {
  assert.equal(sendsMessage(enter(), state()), true);
  assert.equal(sendsMessage(enter(), state({ touch: true })), false);
  assert.equal(sendsMessage(enter(), state({ toolbar: true })), false);
  assert.equal(sendsMessage(enter({ key: 'a' }), state()), false);
});

test('with Ctrl or Cmd it always does, with Shift never', () => {
  assert.equal(sendsMessage(enter({ ctrlKey: true }), state({ toolbar: true })), true);
  assert.equal(sendsMessage(enter({ metaKey: true }), state({ touch: true })), true);
  assert.equal(sendsMessage(enter({ shiftKey: true }), state()), false);
});

test('Enter belongs to an open list of names or an input method first', () => {
  assert.equal(sendsMessage(enter(), state({ prompt: true })), false);
  assert.equal(sendsMessage(enter({ ctrlKey: true }), state({ prompt: true })), false);
  assert.equal(sendsMessage(enter({ isComposing: true }), state()), false);
});

test('client ids are long, plain and different', () => {
  const ids = new Set(Array.from({ length: 1000 }, newClientId));

  assert.equal(ids.size, 1000);
  for (const id of ids) {
    assert.match(id, /^[a-z0-9]{20}$/);
  }
});

test('drafts are kept per person and room, for a while', () => {
  const storage = memory();
  let now = 0;
  const drafts = new Drafts(storage, () => now);

  drafts.save(1, 2, '<p>later</p>');
  assert.equal(drafts.load(1, 2), '<p>later</p>');
  assert.equal(drafts.load(1, 3), null);
  assert.equal(drafts.load(2, 2), null);

  now = 30 * 24 * 60 * 60 * 1000;
  assert.equal(drafts.load(1, 2), null);
});

test('empty and huge drafts are not kept, and bad storage is no error', () => {
  const storage = memory();
  const drafts = new Drafts(storage);

  drafts.save(1, 2, '<p>a</p>');
  drafts.save(1, 2, null);
  assert.equal(drafts.load(1, 2), null);

  drafts.save(1, 2, 'x'.repeat(65 * 1024));
  assert.equal(drafts.load(1, 2), null);

  storage.setItem('campfire:draft:1:2', 'no json');
  assert.equal(drafts.load(1, 2), null);

  const broken = () => { throw new Error('denied'); };
  const none = new Drafts({ getItem: broken, setItem: broken, removeItem: broken });
  none.save(1, 2, '<p>a</p>');
  assert.equal(none.load(1, 2), null);
});

test('who writes is forgotten after five seconds', () => {
  const people = new TypingPeople();

  people.add({ id: 2, name: 'Grace' }, 0);
  people.add({ id: 1, name: 'Ada' }, 1000);
  people.add({ id: 3, name: 'Ada' }, 1000);
  assert.equal(people.names(1000), 'Ada, Ada, Grace');
  people.remove({ id: 3 });
  assert.equal(people.names(4999), 'Ada, Grace');
  assert.equal(people.names(5000), 'Ada');
  people.add({ id: 1, name: 'Ada' }, 5500);
  assert.equal(people.names(10_000), 'Ada');
  assert.equal(people.names(10_500), '');
});


function memory() {
  const map = new Map();
  return {
    getItem: (name) => map.get(name) ?? null,
    setItem: (name, value) => map.set(name, value),
    removeItem: (name) => map.delete(name),
  };
}
