// The files chosen in the composer, drawn above its editor.

export class FileList {
  #element;
  #files = [];
  #urls = [];

  constructor(element) {
    this.#element = element;
  }

  get empty() {
    return this.#files.length === 0;
  }

  add(files) {
    this.#files.push(...files);
    this.#files.sort((a, b) => a.name.localeCompare(b.name));
    this.#draw();
  }

  // All files, which then are no longer here.
  take() {
    const files = this.#files;
    this.clear();
    return files;
  }

  clear() {
    this.#files = [];
    this.#draw();
  }

  #draw() {
    this.#urls.forEach((url) => URL.revokeObjectURL(url));
    this.#urls = [];
    this.#element.replaceChildren(...this.#files.map((file) => this.#entry(file)));
  }

  #entry(file) {
    const button = document.createElement('button');
    const caption = document.createElement('span');
    const dot = file.name.lastIndexOf('.');
    const name = document.createElement('span');

    button.type = 'button';
    button.className = 'composer__file';
    button.title = `Remove ${file.name}`;
    button.setAttribute('aria-label', `Remove ${file.name}`);
    button.addEventListener('click', () => {
      this.#files = this.#files.filter((other) => other !== file);
      this.#draw();
    });

    caption.className = 'composer__file-caption';
    name.className = 'overflow-ellipsis';
    name.textContent = dot > 0 ? file.name.slice(0, dot + 1) : file.name;
    caption.append(name, dot > 0 ? file.name.slice(dot + 1) : '');
    button.append(this.#thumbnail(file), caption);
    return button;
  }

  #thumbnail(file) {
    if (!file.type.startsWith('image/')) {
      const symbol = document.createElement('span');
      symbol.className = 'composer__file-thumbnail composer__file-thumbnail--common';
      return symbol;
    }

    const image = document.createElement('img');
    image.className = 'composer__file-thumbnail';
    image.alt = '';
    image.src = URL.createObjectURL(file);
    this.#urls.push(image.src);
    return image;
  }
}
