import { Controller } from '@hotwired/stimulus';

// The answer to one's own boost brings the whole list: the broadcast of the
// same boost, which may come first, must not find the old one.
export default class extends Controller {
  static targets = ['container'];

  unsubscribe() {
    this.containerTarget.removeAttribute('id');
  }
}
