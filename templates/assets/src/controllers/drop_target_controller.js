import { Controller } from '@hotwired/stimulus';

// Takes files that are dropped on it and passes them on in the event `drop`.
export default class extends Controller {
  dragenter(event) {
    if (hasFiles(event)) {
      event.preventDefault();
    }
  }

  dragover(event) {
    if (hasFiles(event)) {
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    }
  }

  drop(event) {
    const { files } = event.dataTransfer;

    if (files.length > 0) {
      event.preventDefault();
      this.dispatch('drop', { detail: { files: [...files] } });
    }
  }
}

function hasFiles(event) {
  return [...event.dataTransfer.types].includes('Files');
}
