import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortEntries } from '../../../templates/assets/src/lib/sorting.js';

test('rooms by name, whatever the case', () => {
  const rooms = ['beta', 'Alpha', 'Ärger', 'zeta', 'Gamma'].map((name) => ({ name }));

  assert.deepEqual(sortEntries(rooms, 'name').map((room) => room.name),
                   ['Alpha', 'Ärger', 'beta', 'Gamma', 'zeta']);
});

test('pings by time, the latest first, equal ones as they stand', () => {
  const pings = [[1, 5], [2, 9], [3, 5], [4, 7]].map(([id, number]) => ({ id, number }));

  assert.deepEqual(sortEntries(pings, 'number').map((ping) => ping.id), [2, 4, 1, 3]);
  assert.deepEqual(pings.map((ping) => ping.id), [1, 2, 3, 4]);
});
