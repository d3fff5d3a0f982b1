/*
 * The editor is by far the largest part, so it is fetched only when a page
 * shows one. Pages that will show it preload its file.
 */

function load() {
  if (document.querySelector('lexxy-editor') && !customElements.get('lexxy-editor')) {
    import('../editor.js').catch(() => {
      // offline or just deployed: the next page or reload tries again
    });
  }
}

for (const event of ['turbo:load', 'turbo:render', 'turbo:frame-load']) {
  document.addEventListener(event, load);
}
load();
