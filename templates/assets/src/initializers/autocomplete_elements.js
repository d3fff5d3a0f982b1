// The list of suggestions and its entries, made by the autocomplete
// controller. They are elements of their own to be easy to style and find.

class SuggestionSelect extends HTMLElement {
  connectedCallback() {
    this.setAttribute('role', 'listbox');
    this.setAttribute('aria-live', 'polite');
  }
}

class SuggestionOption extends HTMLElement {
  static observedAttributes = ['selected'];

  connectedCallback() {
    this.setAttribute('role', 'option');
    this.attributeChangedCallback();
  }

  attributeChangedCallback() {
    this.setAttribute('aria-selected', String(this.hasAttribute('selected')));
  }

  get value() {
    return this.getAttribute('value');
  }
}

if (!customElements.get('suggestion-select')) {
  customElements.define('suggestion-select', SuggestionSelect);
  customElements.define('suggestion-option', SuggestionOption);
}
