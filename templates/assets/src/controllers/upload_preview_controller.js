import { Controller } from '@hotwired/stimulus';

// Shows a picture that was chosen before it is sent.
export default class extends Controller {
  static targets = ['image', 'input', 'placeholder'];

  #url = null;

  disconnect() {
    this.#forget();
  }

  previewImage(event) {
    const input = event?.currentTarget ?? this.inputTarget;
    const [file] = input.files;

    this.#forget();
    if (file) {
      this.#url = URL.createObjectURL(file);
      this.imageTarget.src = this.#url;
      this.imageTarget.hidden = false;
      if (this.hasPlaceholderTarget) {
        this.placeholderTarget.hidden = true;
      }
    }
  }

  #forget() {
    if (this.#url) {
      URL.revokeObjectURL(this.#url);
      this.#url = null;
    }
  }
}
