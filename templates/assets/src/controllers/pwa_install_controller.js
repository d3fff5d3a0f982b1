import { Controller } from '@hotwired/stimulus';
import { installPrompt } from '../lib/install_prompt.js';

export default class extends Controller {
  static classes = ['canInstall'];

  connect() {
    installPrompt.addEventListener('change', this.#update);
    this.#update();
  }

  disconnect() {
    installPrompt.removeEventListener('change', this.#update);
  }

  async promptInstall() {
    await installPrompt.show();
  }

  #update = () => {
    this.element.classList.toggle(this.canInstallClass, installPrompt.available);
  };
}
