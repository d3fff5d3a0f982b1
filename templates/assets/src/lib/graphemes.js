// Older Firefox knows no segmenter: there, code points are counted.
const segmenter = Intl.Segmenter
  ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null;

export function countGraphemes(text) {
  return segments(text).length;
}

// The longest start of `text` with at most `max` of what people call letters.
export function limitGraphemes(text, max) {
  return segments(text).slice(0, max).join('');
}

function segments(text) {
  return segmenter ? [...segmenter.segment(text)].map(({ segment }) => segment)
                   : [...text];
}
