import { $createParagraphNode, ElementNode } from 'lexical';

// The line below a quote that says who wrote it. The editor knows none.
export class CiteNode extends ElementNode {
  static getType() {
    return 'cite';
  }

  static clone(node) {
    return new CiteNode(node.__key);
  }

  static importDOM() {
    return {
      cite: () => ({
        conversion: () => ({ node: new CiteNode() }),
        priority: 1,
      }),
    };
  }

  static importJSON(serialized) {
    return new CiteNode().updateFromJSON(serialized);
  }

  createDOM() {
    return document.createElement('cite');
  }

  updateDOM() {
    return false;
  }

  insertNewAfter(selection, restoreSelection) {
    const paragraph = $createParagraphNode();
    this.insertAfter(paragraph, restoreSelection);
    return paragraph;
  }

  collapseAtStart() {
    const paragraph = $createParagraphNode();
    this.getChildren().forEach((child) => paragraph.append(child));
    this.replace(paragraph);
    return true;
  }
}
