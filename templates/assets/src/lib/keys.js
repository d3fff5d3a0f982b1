// What Enter does in the composer. `event` is a KeyboardEvent or looks like
// one; `state` has { touch, toolbar, prompt }.
export function sendsMessage(event, { touch, toolbar, prompt }) {
  if (event.key !== 'Enter' || event.isComposing || event.shiftKey || prompt) {
    return false;
  }
  if (event.ctrlKey || event.metaKey) {
    return true;
  }
  return !touch && !toolbar && !event.altKey;
}
