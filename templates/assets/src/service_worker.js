/*
 * Shows pushed notifications and opens the room they are about. There is no
 * offline cache.
 */

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  const { title, options = {} } = readPayload(event.data);
  const path = options.data?.path;

  event.waitUntil(Promise.all([
    // one notification per room, which rings again for each message
    self.registration.showNotification(title, {
      ...(path ? { tag: roomOf(path), renotify: true } : {}),
      ...options,
    }),
    setBadge(options.data?.badge ?? 0),
  ]));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(open(event.notification.data?.path ?? ''));
});


function readPayload(data) {
  try {
    const { title, options } = data.json();
    return { title: title ?? 'Campfire', options };
  } catch {
    return { title: 'Campfire' };
  }
}


function roomOf(path) {
  return path.replace(/\/@\d+$/, '');
}


async function setBadge(count) {
  try {
    await (count > 0 ? self.navigator.setAppBadge?.(count)
                     : self.navigator.clearAppBadge?.());
  } catch {
    // not allowed here
  }
}


// Prefers a window that is open already, the focused one first.
async function open(path) {
  const url = new URL(path, self.registration.scope);
  if (url.origin !== self.location.origin) {
    return;
  }

  const windows = await self.clients.matchAll({
    type: 'window', includeUncontrolled: true,
  });
  const client = windows.find((window) => window.focused) ?? windows[0];

  if (client) {
    try {
      await client.focus();
      await client.navigate(url.href);
      return;
    } catch {
      // a window that this worker does not control
    }
  }
  await self.clients.openWindow(url.href);
}
