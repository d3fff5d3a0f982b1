const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text) {
  return String(text).replace(/[&<>"']/g, (character) => ENTITIES[character]);
}

// Puts values in for $name$. Names that are not given stay as they are, and
// what a value contains is not looked at again.
export function fillTemplate(template, values) {
  return template.replace(/\$(\w+)\$/g, (placeholder, name) =>
    (Object.hasOwn(values, name) ? values[name] : placeholder));
}
