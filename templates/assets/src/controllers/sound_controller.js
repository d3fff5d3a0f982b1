import { Controller } from '@hotwired/stimulus';

export default class extends Controller {
  static values = { url: String };

  async play() {
    try {
      await new Audio(this.urlValue).play();
    } catch {
      // browsers play nothing before the first click on a page
    }
  }
}
