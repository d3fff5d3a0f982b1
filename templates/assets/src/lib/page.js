// What the page's head tells about it.

export function meta(name) {
  return document.head.querySelector(`meta[name="${name}"]`)?.content ?? null;
}

export function csrfToken() {
  return meta('csrf-token') ?? '';
}

export function currentUserId() {
  return toId(meta('current-user-id'));
}

export function currentRoomId() {
  return toId(meta('current-room-id'));
}

// The path the product is mounted below, without a slash at the end.
export function mountPrefix() {
  return (meta('action-cable-url') ?? '/cable').replace(/\/cable\/?$/, '');
}

export function isTouchDevice() {
  return 'ontouchstart' in window || navigator.maxTouchPoints > 0;
}

export function isStandalone() {
  return window.matchMedia('(display-mode: standalone)').matches
      || navigator.standalone === true;
}

function toId(text) {
  return text ? Number(text) : null;
}
