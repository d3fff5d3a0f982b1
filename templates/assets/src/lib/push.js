// Web push of this browser.

import { postJson } from './request.js';

export function isSupported() {
  return 'serviceWorker' in navigator && 'PushManager' in window
      && 'Notification' in window;
}

// Allowed, and subscribed to.
export async function isReady() {
  if (!isSupported() || Notification.permission !== 'granted') {
    return false;
  }
  return (await currentSubscription()) !== null;
}

export async function currentSubscription() {
  if (!isSupported()) {
    return null;
  }

  try {
    const registration = await navigator.serviceWorker.getRegistration();
    return await registration?.pushManager.getSubscription() ?? null;
  } catch {
    return null;
  }
}

// Tells the server; what it refuses is given up.
export async function subscribe({ worker, key, url }) {
  await navigator.serviceWorker.register(worker);
  const registration = await navigator.serviceWorker.ready;
  const subscription = await registration.pushManager.getSubscription()
    ?? await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: decodeKey(key),
    });

  const response = await postJson(url, { push_subscription: describe(subscription) });
  if (!response.ok) {
    await subscription.unsubscribe();
  }
  return response.ok;
}

function describe(subscription) {
  const { endpoint, keys } = subscription.toJSON();
  return { endpoint, p256dh_key: keys.p256dh, auth_key: keys.auth };
}

// URL-safe base64, with or without padding.
export function decodeKey(text) {
  const base64 = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
