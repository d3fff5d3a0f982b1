// Runs tasks one after another, in the order they were pushed. A task may be
// asynchronous; one that fails does not keep the next from running.
export class SerialQueue {
  #tail = Promise.resolve();

  // Resolves or rejects as the task does.
  push(task) {
    const result = this.#tail.then(task);
    this.#tail = result.catch(() => {});
    return result;
  }
}
