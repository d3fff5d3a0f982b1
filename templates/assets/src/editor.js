/*
 * The editor of messages, its own file because of its size. Importing it
 * defines <lexxy-editor> and its parts a moment later, after the settings
 * below were made.
 */

import { Extension, configure } from '@37signals/lexxy';
import { defineExtension } from 'lexical';
import { CiteNode } from './lib/cite_node.js';

class CiteExtension extends Extension {
  get lexicalExtension() {
    return defineExtension({ name: 'campfire/cite', nodes: [CiteNode] });
  }

  get allowedElements() {
    return ['cite'];
  }
}

configure({
  global: {
    // mentions are stored as application/vnd.campfire.mention
    attachmentContentTypeNamespace: 'campfire',
    extensions: [CiteExtension],
  },
});

// What a script assigned before the element was defined hides the element's
// own accessor: give it to the editor.
const early = [...document.querySelectorAll('lexxy-editor')]
  .filter((element) => Object.hasOwn(element, 'value'))
  .map((element) => {
    const { value } = element;
    delete element.value;
    return { element, value };
  });

if (early.length > 0) {
  customElements.whenDefined('lexxy-editor').then(() => {
    for (const { element, value } of early) {
      if (element.editor) {
        element.value = value;
      }
    }
  });
}

// The editor's picker of languages is a field, but nothing to send.
document.addEventListener('formdata', ({ formData }) => {
  formData.delete('lexxy-code-language');
});
