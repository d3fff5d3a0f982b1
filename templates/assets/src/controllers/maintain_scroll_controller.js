import { Controller } from '@hotwired/stimulus';
import { Scroller } from '../lib/scroller.js';

// Streams marked maintain_scroll change the list without moving it.
export default class extends Controller {
  beforeStreamRender(event) {
    const { newStream, render } = event.detail;
    const target = document.getElementById(newStream.getAttribute('target'));

    if (newStream.hasAttribute('maintain_scroll') && target
        && this.element.contains(target)) {
      event.detail.render = (stream) =>
        Scroller.of(this.element).keepAround(target, () => render(stream));
    }
  }
}
