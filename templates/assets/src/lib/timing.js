export function nextFrame() {
  return new Promise(requestAnimationFrame);
}

// For what must go on in a hidden page, where no frames are drawn.
export function nextFrameOrTick() {
  return document.visibilityState === 'hidden' ? delay(0) : nextFrame();
}

export function delay(ms) {
  return new Promise((resolve) => { setTimeout(resolve, ms); });
}

// Calls at once, then at most every `ms`; the last call is never lost.
export function throttle(callback, ms) {
  let timer = null;
  let again = false;

  function run() {
    callback();
    timer = setTimeout(() => {
      timer = null;
      if (again) {
        again = false;
        run();
      }
    }, ms);
  }

  const throttled = () => {
    if (timer === null) {
      run();
    } else {
      again = true;
    }
  };

  throttled.cancel = () => {
    clearTimeout(timer);
    timer = null;
    again = false;
  };

  return throttled;
}

export function debounce(callback, ms) {
  let timer = null;

  const debounced = (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => callback(...args), ms);
  };

  debounced.cancel = () => clearTimeout(timer);
  return debounced;
}
