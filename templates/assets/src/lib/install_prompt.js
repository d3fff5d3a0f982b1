// The browser's offer to install the app, kept until somebody takes it.
class InstallPrompt extends EventTarget {
  #offer = null;

  get available() {
    return this.#offer !== null;
  }

  set(offer) {
    this.#offer = offer;
    this.dispatchEvent(new Event('change'));
  }

  // An offer can be used only once.
  show() {
    const offer = this.#offer;
    this.set(null);
    return offer?.prompt();
  }
}

export const installPrompt = new InstallPrompt();
