/** How long work may hold the event loop, in milliseconds. */
const SLICE_MS = 10;

/** Divides long work into slices, between which the event loop does other work. */
export class WorkSlices {
  #endsAt = 0;

  /** Call this between two steps of the work, and await the result if there is one: the slice is over then. */
  pause(): Promise<void> | undefined {
    if (performance.now() < this.#endsAt) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        this.#endsAt = performance.now() + SLICE_MS;
        resolve();
      });
    });
  }
}
