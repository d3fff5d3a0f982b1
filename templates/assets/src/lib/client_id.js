const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz';
const LENGTH = 20;

// Names a message before the server has one for it. It becomes part of
// element ids, hence [a-z0-9] only.
export function newClientId() {
  let id = '';

  while (id.length < LENGTH) {
    for (const byte of crypto.getRandomValues(new Uint8Array(LENGTH))) {
      // above 251 some digits would be more likely than others
      if (byte < 252 && id.length < LENGTH) {
        id += DIGITS[byte % 36];
      }
    }
  }
  return id;
}
