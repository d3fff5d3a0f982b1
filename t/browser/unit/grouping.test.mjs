import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFirstOfDay, isThreaded, placeOf } from '../../../templates/assets/src/lib/grouping.js';

const MINUTE = 60_000;
const at = (userId, time) => ({ userId, time });

test('the same person within five minutes is a thread', () => {
  assert.equal(isThreaded(at('1', 0), at('1', 5 * MINUTE)), true);
  assert.equal(isThreaded(at('1', 5 * MINUTE), at('1', 0)), true);
  assert.equal(isThreaded(at('1', 0), at('1', 5 * MINUTE + 1)), false);
});

test('another person or nobody before is none', () => {
  assert.equal(isThreaded(at('1', 0), at('2', 1)), false);
  assert.equal(isThreaded(null, at('1', 0)), false);
});

test('a day begins without a message before or on another day', () => {
  const day = (time) => Math.floor(time / (24 * 60 * MINUTE));

  assert.equal(isFirstOfDay(null, at('1', 0), day), true);
  assert.equal(isFirstOfDay(at('1', 0), at('2', 23 * 60 * MINUTE), day), false);
  assert.equal(isFirstOfDay(at('1', 23 * 60 * MINUTE), at('1', 25 * 60 * MINUTE), day), true);
});

test('days are those of the local zone', () => {
  const midnight = new Date(2026, 4, 17).getTime();

  assert.equal(isFirstOfDay(at('1', midnight - 1), at('1', midnight)), true);
  assert.equal(isFirstOfDay(at('1', midnight), at('1', midnight + 1)), false);
});

test('a late message goes before the first that is newer', () => {
  assert.equal(placeOf([10, 20, 30], 25), 2);
  assert.equal(placeOf([10, 20, 30], 5), 0);
  assert.equal(placeOf([10, 20, 30], 30), 3);
  assert.equal(placeOf([], 1), 0);
});

test('pending messages have no say in the order', () => {
  assert.equal(placeOf([10, NaN], 20), 2);
  assert.equal(placeOf([10, NaN, 30], 20), 2);
});
