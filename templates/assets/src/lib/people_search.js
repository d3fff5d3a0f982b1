// Which people match what was typed, the best first.

const NEVER = 4;

// 0: the name starts so; 1: a later word of it; 2: spread over the starts of
// words, as "jd" in "John Doe"; 3: the description.
export function rank({ name, description = '' }, query) {
  const wanted = fold(query);
  const folded = fold(name);
  const words = folded.split(/[\s-]+/);

  if (wanted === '' || folded.startsWith(wanted)) {
    return 0;
  }
  if (words.slice(1).some((word) => word.startsWith(wanted))
      || folded.includes(` ${wanted}`)) {
    return 1;
  }
  if (spread(words, wanted)) {
    return 2;
  }
  return fold(description).includes(wanted) ? 3 : NEVER;
}

export function searchPeople(people, query) {
  return people
    .map((person) => ({ person, rank: rank(person, query) }))
    .filter((found) => found.rank < NEVER)
    .sort((a, b) => a.rank - b.rank)
    .map((found) => found.person);
}

// Does `text` consist of starts of these words, in their order?
function spread(words, text) {
  if (text === '') {
    return true;
  }

  return words.some((word, index) => {
    for (let length = 1; length <= word.length && text.startsWith(word.slice(0, length)); length++) {
      if (spread(words.slice(index + 1), text.slice(length))) {
        return true;
      }
    }
    return false;
  });
}

function fold(text) {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().trim();
}
