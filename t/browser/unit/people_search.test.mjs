import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchPeople } from '../../../templates/assets/src/lib/people_search.js';

const people = [
  { name: 'Zoë Müller', description: 'likes tea' },
  { name: 'John Doe' },
  { name: 'Ada John', description: '' },
  { name: 'Johanna Dent' },
];
const find = (query) => searchPeople(people, query).map(({ name }) => name);

test('names that start so come first, then later words', () => {
  assert.deepEqual(find('john'), ['John Doe', 'Ada John']);
  assert.deepEqual(find('joh'), ['John Doe', 'Johanna Dent', 'Ada John']);
});

test('letters may be spread over the starts of words', () => {
  assert.deepEqual(find('jd'), ['John Doe', 'Johanna Dent']);
  assert.deepEqual(find('jodo'), ['John Doe']);
});

test('accents and case do not matter', () => {
  assert.deepEqual(find('ZOE'), ['Zoë Müller']);
  assert.deepEqual(find('mull'), ['Zoë Müller']);
});

test('the description is the last resort', () => {
  assert.deepEqual(find('tea'), ['Zoë Müller']);
  assert.deepEqual(find('coffee'), []);
  assert.equal(find('').length, 4);
});
