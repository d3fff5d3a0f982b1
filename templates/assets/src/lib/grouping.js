/*
 * How a message looks depends on the one before it. Both are described by
 * { userId, time }, time in milliseconds.
 */

const THREAD = 5 * 60 * 1000;

// Same person, shortly after: the name is not repeated.
export function isThreaded(previous, message) {
  return previous !== null
      && previous.userId === message.userId
      && Math.abs(message.time - previous.time) <= THREAD;
}

// `dayOf` names the local day of a time.
export function isFirstOfDay(previous, message, dayOf = localDay) {
  return previous === null || dayOf(previous.time) !== dayOf(message.time);
}

export function localDay(time) {
  const date = new Date(time);
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`;
}

// Before which of its elder neighbours a message belongs: an index, or
// values.length if it is where it should be. Neighbours without a value, such
// as pending messages, have no say.
export function placeOf(values, value) {
  const index = values.findIndex((other) => Number.isFinite(other) && other > value);
  return index < 0 ? values.length : index;
}
