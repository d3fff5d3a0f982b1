/*
 * HTML from the editor, made fit for the copy of a message that is shown until
 * the server's own comes. Everything happens in an inert document: nothing is
 * loaded or run before it is clean.
 */

const KEEP = new Set(`
  A ABBR B BLOCKQUOTE BR CITE CODE DEL DIV EM FIGCAPTION FIGURE H1 H2 H3 H4 H5
  H6 HR I IMG LI MARK OL P PRE S SMALL SPAN STRONG SUB SUP TABLE TBODY TD TFOOT
  TH THEAD TR U UL
`.trim().split(/\s+/));

const DROP = new Set(`
  SCRIPT STYLE IFRAME OBJECT EMBED TEMPLATE SVG MATH NOSCRIPT TEXTAREA SELECT
  TITLE HEAD
`.trim().split(/\s+/));

const ATTRIBUTES = new Set(['alt', 'class', 'data-language', 'height', 'href',
                            'src', 'title', 'width']);

const LINKS = /^(?:https?:|mailto:|\/(?!\/)|#)/i;

export function safeHtml(html) {
  const { body } = parse(html);
  expandAttachments(body);
  clean(body);
  return body.innerHTML;
}

function parse(html) {
  return new DOMParser().parseFromString(html, 'text/html');
}

// Mentions and previews carry what they look like in an attribute.
function expandAttachments(root) {
  for (const attachment of root.querySelectorAll('action-text-attachment')) {
    const content = parse(attachment.getAttribute('content') ?? '').body;
    attachment.replaceWith(...content.childNodes);
  }
}

function clean(node) {
  for (const child of [...node.childNodes]) {
    if (child.nodeType === Node.TEXT_NODE) {
      continue;
    }
    const name = child.nodeType === Node.ELEMENT_NODE
               ? child.nodeName.toUpperCase() : null;

    if (name === null || DROP.has(name)) {
      child.remove();
      continue;
    }

    clean(child);
    if (KEEP.has(name)) {
      cleanAttributes(child);
    } else {
      child.replaceWith(...child.childNodes);
    }
  }
}

function cleanAttributes(element) {
  for (const { name, value } of [...element.attributes]) {
    const link = name === 'href' || name === 'src';
    if (!ATTRIBUTES.has(name) || (link && !LINKS.test(value.trim()))) {
      element.removeAttribute(name);
    }
  }
}
