import { Controller } from '@hotwired/stimulus';
import { escapeHtml } from '../lib/text_template.js';

// Quotes a message in the composer.
export default class extends Controller {
  static targets = ['author', 'body', 'link'];

  static outlets = ['composer'];

  reply() {
    if (this.hasComposerOutlet) {
      this.composerOutlet.replaceContent(
        `<blockquote>${this.#quote()}</blockquote>`
        + `<cite>${escapeHtml(this.authorTarget.textContent)} `
        + `<a href="${escapeHtml(this.linkTarget.href)}">#</a></cite><p><br></p>`);
    }
  }

  // Nobody is mentioned again by being quoted.
  #quote() {
    const shown = this.bodyTarget.querySelector('.lexxy-content') ?? this.bodyTarget;
    const copy = shown.cloneNode(true);
    const embed = copy.querySelector('.og-embed a');

    copy.querySelectorAll('.mention').forEach((mention) => {
      mention.replaceWith(mention.textContent.trim());
    });
    copy.querySelectorAll('.og-embed').forEach((element) => element.remove());
    // a line of highlighted code is made of many elements
    copy.querySelectorAll('pre').forEach((block) => {
      block.textContent = block.textContent.replace(/\n$/, '');
    });

    if (copy.textContent.trim() === '' && embed) {
      return escapeHtml(embed.href);
    }
    return copy.innerHTML.trim();
  }
}
