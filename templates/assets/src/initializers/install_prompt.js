import { installPrompt } from '../lib/install_prompt.js';

// Comes once, early, and often before any element cares for it.
window.addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  installPrompt.set(event);
});

window.addEventListener('appinstalled', () => installPrompt.set(null));
