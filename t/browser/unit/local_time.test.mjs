import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatTime } from '../../../templates/assets/src/lib/local_time.js';

const iso = '2026-05-17T22:30:00Z';
const plain = (text) => text.replace(/\u202f/g, ' ');

test('times in the language and zone asked for', () => {
  const berlin = { locale: 'de-DE', timeZone: 'Europe/Berlin' };
  const york = { locale: 'en-US', timeZone: 'America/New_York' };

  assert.equal(formatTime(iso, 'time', berlin), '00:30');
  assert.equal(formatTime(iso, 'date', berlin), '18. Mai 2026');
  assert.equal(plain(formatTime(iso, 'time', york)), '6:30 PM');
  assert.equal(formatTime(iso, 'date', york), 'May 17, 2026');
  assert.equal(plain(formatTime(iso, 'datetime', york)), '5/17/26, 6:30 PM');
});

test('what is no time stays empty', () => {
  assert.equal(formatTime('', 'time'), '');
  assert.equal(formatTime('soon', 'date'), '');
});
