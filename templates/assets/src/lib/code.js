// Colours for blocks of code. The highlighter is fetched when first needed.

let highlighter = null;

export function highlightBlocks(blocks) {
  for (const block of blocks) {
    if (!block.dataset.highlighted) {
      block.dataset.highlighted = 'true';
      setTimeout(() => highlight(block), 0);
    }
  }
}

async function highlight(block) {
  // the editor breaks lines with elements
  for (const lineBreak of block.querySelectorAll('br')) {
    lineBreak.replaceWith('\n');
  }
  if (block.childElementCount > 0) {
    return;
  }

  try {
    highlighter ??= import('./highlighter.js');
    const { highlightCode } = await highlighter;
    const html = highlightCode(block.textContent, block.dataset.language);
    if (block.isConnected && html !== null) {
      block.innerHTML = html;
      block.classList.add('hljs');
    }
  } catch {
    highlighter = null;           // plain, then
  }
}
