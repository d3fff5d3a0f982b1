import { Controller } from '@hotwired/stimulus';
import { nextFrame } from '../lib/timing.js';

export default class extends Controller {
  async connect() {
    await nextFrame();
    this.element.scrollIntoView({ behavior: 'smooth', block: 'center' });
  }
}
