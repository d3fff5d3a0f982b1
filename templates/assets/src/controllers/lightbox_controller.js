import { Controller } from '@hotwired/stimulus';

// Shows a picture over the page. Arrow keys go on to the other pictures.
export default class extends Controller {
  static targets = ['image', 'dialog', 'zoomedImage', 'download', 'share'];

  #current = null;

  connect() {
    document.addEventListener('keydown', this.#step);
  }

  disconnect() {
    document.removeEventListener('keydown', this.#step);
  }

  open(event) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) {
      return;             // a new tab or window was asked for
    }

    event.preventDefault();
    this.#show(event.currentTarget);
    if (!this.dialogTarget.open) {
      this.dialogTarget.showModal();
    }
  }

  reset() {
    this.#current?.focus({ preventScroll: true });
    this.#current = null;
    this.zoomedImageTarget.removeAttribute('src');
    this.zoomedImageTarget.alt = '';
    this.downloadTarget.removeAttribute('href');
    this.shareTarget.removeAttribute('data-web-share-files-value');
  }

  #show(link) {
    const url = link.dataset.lightboxUrlValue ?? link.href;

    this.#current = link;
    this.zoomedImageTarget.src = link.href;
    this.zoomedImageTarget.alt = link.querySelector('img')?.alt ?? '';
    this.downloadTarget.href = url;
    this.shareTarget.setAttribute('data-web-share-files-value', url);
  }

  #step = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];

    if (by && this.#current && this.dialogTarget.open) {
      const links = this.imageTargets;
      const next = links[links.indexOf(this.#current) + by];
      if (next) {
        event.preventDefault();
        this.#show(next);
      }
    }
  };
}
