import * as Turbo from '@hotwired/turbo';

window.Turbo = Turbo;

/*
 * A frame's answer without that frame: the person was signed out or the page
 * is gone. Following the answer shows what the server had to say.
 */
document.addEventListener('turbo:frame-missing', (event) => {
  const { response, visit } = event.detail;

  event.preventDefault();
  if (response.redirected || response.ok) {
    visit(response);
  }
});
