import { Controller } from '@hotwired/stimulus';
import { get } from '../lib/request.js';
import { currentUserId, mountPrefix } from '../lib/page.js';
import { searchPeople } from '../lib/people_search.js';
import { debounce } from '../lib/timing.js';

const COMMIT = new Set(['Enter', 'Tab']);

// Chooses people by name: a field, a hidden <select> with the choice, and a
// pill for each, made from the <template> that the select names.
export default class extends Controller {
  static targets = ['input', 'select'];

  static values = { url: String };

  #abort = null;
  #found = new Map();
  #list = null;
  #search = debounce(() => this.#suggest(), 300);

  inputTargetConnected(input) {
    input.setAttribute('role', 'combobox');
    input.setAttribute('aria-autocomplete', 'list');
    input.setAttribute('aria-expanded', 'false');
    input.autocomplete = 'off';
    input.addEventListener('input', this.#search);
    input.addEventListener('keydown', this.#keydown);
  }

  inputTargetDisconnected(input) {
    input.removeEventListener('input', this.#search);
    input.removeEventListener('keydown', this.#keydown);
  }

  connect() {
    this.element.addEventListener('click', this.#clicked);
    document.addEventListener('click', this.#clickedOutside);
  }

  disconnect() {
    this.element.removeEventListener('click', this.#clicked);
    document.removeEventListener('click', this.#clickedOutside);
    this.#search.cancel();
    this.#close();
  }

  async #suggest() {
    const query = this.inputTarget.value.trim();
    this.#abort?.abort();
    if (query === '') {
      this.#close();
      return;
    }

    this.#abort = new AbortController();
    try {
      const url = new URL(this.urlValue || `${mountPrefix()}/autocompletable/users`,
                          window.location.href);
      url.searchParams.set('query', query);
      const response = await get(url, { as: 'json', signal: this.#abort.signal });
      if (response.ok) {
        this.#show(await response.json(), query);
      }
    } catch {
      // ended by the next search, or offline
    }
  }

  #show(people, query) {
    const taken = new Set(this.#chosen);
    const list = searchPeople(people.map((person) => ({
      id: String(person.value),
      name: unescape(person.name),
      avatar: person.avatar_url,
    })), query).filter(({ id }) => !taken.has(id) && id !== String(currentUserId()));

    this.#close();
    if (list.length === 0 || !this.element.isConnected) {
      return;
    }

    this.#found = new Map(list.map((person) => [person.id, person]));
    this.#list = document.createElement('suggestion-select');
    this.#list.className = 'autocomplete__list shadow';
    this.#list.id = `${this.inputTarget.id || 'people'}_suggestions`;
    this.#list.append(...list.map(option));
    this.inputTarget.after(this.#list);
    this.inputTarget.setAttribute('aria-expanded', 'true');
    this.inputTarget.setAttribute('aria-controls', this.#list.id);
    this.#place();
    this.#highlight(this.#options[0]);
  }

  #close() {
    this.#list?.remove();
    this.#list = null;
    if (this.hasInputTarget) {
      this.inputTarget.setAttribute('aria-expanded', 'false');
      this.inputTarget.removeAttribute('aria-activedescendant');
    }
  }

  // Above the field where there is little room below it.
  #place() {
    const field = this.inputTarget.getBoundingClientRect();
    const row = this.#options[0].offsetHeight || 40;
    const below = window.innerHeight - field.bottom;
    const above = below < 3 * row && field.top > below;

    this.#list.classList.toggle('popup-orientation-top', above);
    this.#list.style.setProperty('--max-height', `${Math.max(above ? field.top : below, row) - 16}px`);
  }

  get #options() {
    return this.#list ? [...this.#list.children] : [];
  }

  get #current() {
    return this.#options.find((entry) => entry.hasAttribute('selected'));
  }

  get #chosen() {
    return [...this.selectTarget.options].filter((entry) => entry.selected)
      .map((entry) => entry.value);
  }

  #highlight(entry) {
    this.#options.forEach((other) => other.toggleAttribute('selected', other === entry));
    this.inputTarget.setAttribute('aria-activedescendant', entry.id);
    entry.scrollIntoView({ block: 'nearest' });
  }

  #keydown = (event) => {
    if (event.isComposing) {
      return;
    }

    if (event.key === 'Backspace' && this.inputTarget.value === '') {
      this.#remove(this.#chosen.at(-1));
    } else if (!this.#list) {
      if (event.key === 'Enter' && this.inputTarget.value.trim() !== '') {
        event.preventDefault();
      }
    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      this.#step(event.key === 'ArrowDown' ? 1 : -1);
    } else if (COMMIT.has(event.key) && this.#current) {
      event.preventDefault();
      this.#choose(this.#current.value);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      this.#close();
    }
  };

  #step(by) {
    const entries = this.#options;
    const index = entries.indexOf(this.#current);
    this.#highlight(entries[(index + by + entries.length) % entries.length]);
  }

  #clicked = (event) => {
    const entry = event.target.closest('suggestion-option');
    const remove = event.target.closest('.autocomplete__pill button');

    if (entry) {
      event.preventDefault();
      this.#choose(entry.value);
    } else if (remove) {
      event.preventDefault();
      this.#remove(remove.closest('.autocomplete__pill').dataset.value);
      this.inputTarget.focus();
    }
  };

  #clickedOutside = ({ target }) => {
    if (this.#list && !this.element.contains(target)) {
      this.#close();
    }
  };

  #choose(id) {
    const person = this.#found.get(id);
    if (!person || this.#chosen.includes(id)) {
      return;
    }

    this.selectTarget.append(new Option(person.name, id, true, true));
    this.inputTarget.before(this.#pill(person));
    this.inputTarget.value = '';
    this.#search.cancel();
    this.#close();
    this.inputTarget.focus();
  }

  #remove(id) {
    if (id !== undefined) {
      [...this.selectTarget.options].find((entry) => entry.value === id)?.remove();
      this.element.querySelector(`.autocomplete__pill[data-value="${CSS.escape(id)}"]`)?.remove();
    }
  }

  #pill({ id, name, avatar }) {
    const template = document.getElementById(this.selectTarget.dataset.templateId);
    const pill = template.content.firstElementChild.cloneNode(true);
    const picture = pill.querySelector('[data-content="avatar"]');
    const label = pill.querySelector('[data-content="label"]');
    const screenReader = pill.querySelector('button .for-screen-reader');

    pill.dataset.value = id;
    if (picture) {
      picture.src = avatar;
    }
    if (label) {
      label.textContent = name;
    }
    if (screenReader) {
      screenReader.textContent = `Remove ${name}`;
    }
    return pill;
  }
}

function option({ id, name, avatar }) {
  const entry = document.createElement('suggestion-option');
  const button = document.createElement('button');
  const figure = document.createElement('span');
  const picture = document.createElement('img');
  const label = document.createElement('span');

  entry.id = `suggestion_${id}`;
  entry.className = 'autocomplete__item';
  entry.setAttribute('value', id);
  button.type = 'button';
  button.tabIndex = -1;
  button.className = 'autocomplete__btn btn btn--borderless';
  figure.className = 'avatar';
  picture.src = avatar;
  picture.alt = '';
  label.className = 'autocompletable__name';
  label.textContent = name;
  figure.append(picture);
  button.append(figure, label);
  entry.append(button);
  return entry;
}

// Names come HTML-escaped.
function unescape(text) {
  const area = document.createElement('textarea');
  area.innerHTML = text;
  return area.value;
}
