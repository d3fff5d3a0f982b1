/*
 * Texts of nothing but emoji, which are shown large. The rule and the ranges
 * are the server's (richtext/ngx_campfire_richtext_emoji.c), not the browser's
 * own Unicode tables, so that a pending message has the size it will keep.
 */

// Emoji_Presentation or Extended_Pictographic, of Unicode 16.
const EMOJI = '['
  + '\\u{a9}\\u{ae}\\u{203c}\\u{2049}\\u{2122}\\u{2139}\\u{2194}-\\u{2199}'
  + '\\u{21a9}-\\u{21aa}\\u{231a}-\\u{231b}\\u{2328}\\u{2388}\\u{23cf}'
  + '\\u{23e9}-\\u{23f3}\\u{23f8}-\\u{23fa}\\u{24c2}\\u{25aa}-\\u{25ab}'
  + '\\u{25b6}\\u{25c0}\\u{25fb}-\\u{25fe}\\u{2600}-\\u{2605}'
  + '\\u{2607}-\\u{2612}\\u{2614}-\\u{2685}\\u{2690}-\\u{2705}'
  + '\\u{2708}-\\u{2712}\\u{2714}\\u{2716}\\u{271d}\\u{2721}\\u{2728}'
  + '\\u{2733}-\\u{2734}\\u{2744}\\u{2747}\\u{274c}\\u{274e}\\u{2753}-\\u{2755}'
  + '\\u{2757}\\u{2763}-\\u{2767}\\u{2795}-\\u{2797}\\u{27a1}\\u{27b0}\\u{27bf}'
  + '\\u{2934}-\\u{2935}\\u{2b05}-\\u{2b07}\\u{2b1b}-\\u{2b1c}\\u{2b50}'
  + '\\u{2b55}\\u{3030}\\u{303d}\\u{3297}\\u{3299}\\u{1f000}-\\u{1f0ff}'
  + '\\u{1f10d}-\\u{1f10f}\\u{1f12f}\\u{1f16c}-\\u{1f171}\\u{1f17e}-\\u{1f17f}'
  + '\\u{1f18e}\\u{1f191}-\\u{1f19a}\\u{1f1ad}-\\u{1f1ff}\\u{1f201}-\\u{1f20f}'
  + '\\u{1f21a}\\u{1f22f}\\u{1f232}-\\u{1f23a}\\u{1f23c}-\\u{1f23f}'
  + '\\u{1f249}-\\u{1f53d}\\u{1f546}-\\u{1f64f}\\u{1f680}-\\u{1f6ff}'
  + '\\u{1f774}-\\u{1f77f}\\u{1f7d5}-\\u{1f7ff}\\u{1f80c}-\\u{1f80f}'
  + '\\u{1f848}-\\u{1f84f}\\u{1f85a}-\\u{1f85f}\\u{1f888}-\\u{1f88f}'
  + '\\u{1f8ae}-\\u{1f8ff}\\u{1f90c}-\\u{1f93a}\\u{1f93c}-\\u{1f945}'
  + '\\u{1f947}-\\u{1faff}\\u{1fc00}-\\u{1fffd}'
  + ']';

const JOINER = '\\u{200d}';
const SELECTOR = '\\u{fe0f}';
const ONE = `${EMOJI}${SELECTOR}*`;
const TAGS = '[\\u{e0020}-\\u{e007e}]+\\u{e007f}';

// Keycap, lone selector, or an emoji with what belongs to it.
const UNIT = new RegExp(
  `[0-9#*]${SELECTOR}?\\u{20e3}|${SELECTOR}`
  + `|${ONE}(?:${TAGS})?(?:${JOINER}${ONE})*`, 'uy');

// Unit by unit: as one expression, a selector could belong to its emoji or
// stand alone, and a long text would be tried in every combination.
export function isAllEmoji(text) {
  UNIT.lastIndex = 0;
  while (UNIT.lastIndex < text.length && UNIT.test(text)) {
    // goes on where the unit ended; 0 if there was none
  }
  return text !== '' && UNIT.lastIndex === text.length;
}
