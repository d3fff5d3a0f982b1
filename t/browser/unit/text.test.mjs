import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAllEmoji } from '../../../templates/assets/src/lib/emoji.js';
import { countGraphemes, limitGraphemes } from '../../../templates/assets/src/lib/graphemes.js';
import { soundIn } from '../../../templates/assets/src/lib/sounds.js';
import { escapeHtml, fillTemplate } from '../../../templates/assets/src/lib/text_template.js';
import { titleWithCount } from '../../../templates/assets/src/lib/unread_count.js';

test('boosts are limited by what people call letters', () => {
  const family = '👨‍👩‍👧';

  assert.equal(countGraphemes(family), 1);
  assert.equal(limitGraphemes(family.repeat(17), 16), family.repeat(16));
  assert.equal(limitGraphemes('e\u0301'.repeat(3), 2), 'e\u0301'.repeat(2));
  assert.equal(limitGraphemes('well spotted', 16), 'well spotted');
  assert.equal(limitGraphemes('', 16), '');
});

test('texts of nothing but emoji', () => {
  for (const text of ['😄🤘', '👍🏽', '🇺🇸', '❤️', '❤', '©', '™️', '\ufe0f', '👨‍👩‍👧',
                      '👩🏽‍❤️‍👨🏻', '🏳️‍🌈', '🏴‍☠️', '1️⃣', '#️⃣', '*⃣', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🎉1️⃣']) {
    assert.equal(isAllEmoji(text), true, text);
  }
  for (const text of ['', '1', '#', '🔥 💯', '🔥\n', 'a🎉', '\u200d', '👨\u200d',
                      '\u200d👩', '🏴󠁧󠁢']) {
    assert.equal(isAllEmoji(text), false, JSON.stringify(text));
  }
});

test('a long text is decided quickly', () => {
  const started = Date.now();

  assert.equal(isAllEmoji(`${'👍🏽\ufe0f'.repeat(20_000)}x`), false);
  assert.ok(Date.now() - started < 500);
});

test('sounds by their exact names', () => {
  assert.equal(soundIn('/play tada'), 'tada');
  assert.equal(soundIn(' /play 56k\n'), '56k');
  assert.equal(soundIn('/play Tada'), null);
  assert.equal(soundIn('/play tada now'), null);
  assert.equal(soundIn('/play constructor'), null);
});

test('templates are filled once, and only with what is given', () => {
  assert.equal(fillTemplate('<a id="$id$">$body$ $other$</a>', { id: 'x', body: '$id$ $& $1' }),
               '<a id="x">$id$ $& $1 $other$</a>');
  assert.equal(fillTemplate('$toString$', {}), '$toString$');
});

test('HTML is escaped in texts and attributes', () => {
  assert.equal(escapeHtml(`<a href="x" title='y'>&`),
               '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;');
});

test('the title tells the number of unread rooms', () => {
  assert.equal(titleWithCount('All Talk', 2), '(2) All Talk');
  assert.equal(titleWithCount('(2) All Talk', 13), '(13) All Talk');
  assert.equal(titleWithCount('(2) All Talk', 0), 'All Talk');
});
