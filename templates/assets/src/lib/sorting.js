const collator = new Intl.Collator(undefined, { sensitivity: 'base', numeric: false });

const ORDERS = {
  // rooms by name, in the order of the browser's language
  name: (a, b) => collator.compare(a.name.toLowerCase(), b.name.toLowerCase()),
  // pings, the latest first
  number: (a, b) => b.number - a.number,
};

// Entries have { name } or { number }; equal ones keep their places.
export function sortEntries(entries, order) {
  return [...entries].sort(ORDERS[order] ?? ORDERS.name);
}
