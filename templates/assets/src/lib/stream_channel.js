/*
 * Stream elements are applied one after another, in the order they came. Left
 * alone, each waits for the next frame by itself, and in a page that gets
 * hidden in between a removal can overtake the message it removes.
 */

import { SerialQueue } from './serial_queue.js';

const queue = new SerialQueue();

export function applyStreams(html) {
  return queue.push(async () => {
    const template = document.createElement('template');
    template.innerHTML = html;

    for (const element of template.content.querySelectorAll('turbo-stream')) {
      await apply(document.importNode(element, true));
    }
  });
}

// Connecting the element makes it act; it takes itself out afterwards and
// reports its own errors.
async function apply(element) {
  document.documentElement.appendChild(element);
  try {
    await element.renderPromise;
  } catch {
    // reported by the element
  }
}
