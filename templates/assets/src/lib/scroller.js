/*
 * A list that scrolls and whose content changes at both ends. Changes run one
 * after another, because each measures before and corrects after.
 */

import { SerialQueue } from './serial_queue.js';
import { nextFrameOrTick } from './timing.js';

const NEAR = 100;

const scrollers = new WeakMap();

export class Scroller {
  #element;
  #queue = new SerialQueue();

  // All controllers of one list share its scroller.
  static of(element) {
    if (!scrollers.has(element)) {
      scrollers.set(element, new Scroller(element));
    }
    return scrollers.get(element);
  }

  constructor(element) {
    this.#element = element;
  }

  get fromEnd() {
    const { scrollHeight, scrollTop, clientHeight } = this.#element;
    return scrollHeight - scrollTop - clientHeight;
  }

  get nearEnd() {
    return this.fromEnd <= NEAR;
  }

  toEnd() {
    this.#element.scrollTop = this.#element.scrollHeight;
  }

  // `change` is told whether the end was near before.
  change(change) {
    return this.#queue.push(() => change(this.nearEnd));
  }

  // Changes something above what is being looked at.
  keepFromEnd(change) {
    return this.#queue.push(async () => {
      const { fromEnd } = this;
      await change();
      await this.#stop();
      this.#element.scrollTop = this.#element.scrollHeight
                              - this.#element.clientHeight - fromEnd;
    });
  }

  // Changes something below it.
  keepFromStart(change) {
    return this.#queue.push(async () => {
      const { scrollTop } = this.#element;
      await change();
      if (this.#element.scrollTop !== scrollTop) {
        this.#element.scrollTop = scrollTop;
      }
    });
  }

  // Changes `target`: what is before it keeps its place if the target can be
  // seen or is below, what is after it otherwise.
  keepAround(target, change) {
    const lower = this.#element.getBoundingClientRect().bottom;
    return target.getBoundingClientRect().top < lower
         ? this.keepFromEnd(change) : this.keepFromStart(change);
  }

  // A scroll that still rolls on would undo the correction.
  async #stop() {
    const { style } = this.#element;
    if (!('ontouchstart' in window)) {
      return;
    }
    style.overflow = 'hidden';
    await nextFrameOrTick();
    style.overflow = '';
  }
}
