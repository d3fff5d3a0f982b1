import { currentRoomId, currentUserId, meta } from '../lib/page.js';

// For scripts that an operator adds: who is looking at which room.
window.Current = {
  get user() {
    const id = currentUserId();
    return id ? { id, name: meta('current-user-name') } : null;
  },
  get room() {
    const id = currentRoomId();
    return id ? { id } : null;
  },
};
