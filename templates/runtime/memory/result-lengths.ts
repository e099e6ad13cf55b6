import { minCountedBytes } from "./accounts.js";

/** How long the results of handlers are. A handler's next result is expected to be as long as its latest ones. */
export class ResultLengths {
  readonly #byItem = new WeakMap<object, number>();
  #isEmpty = true;

  /** The expected length of an item's result, in bytes; 0 if it is short or unknown. */
  of(item: object): number {
    return this.#isEmpty ? 0 : (this.#byItem.get(item) ?? 0);
  }

  /**
   * Records a long result.
   * @param reserved The bytes that its call has reserved itself: if they are most of it, nothing must be expected.
   */
  add(item: object, bytes: number, reserved: number): void {
    if (reserved * 2 > bytes) return;
    this.#isEmpty = false;
    this.#byItem.set(item, Math.max(bytes, this.of(item) / 2));
  }

  /** Records a short result. */
  addShort(item: object): void {
    const half = this.of(item) / 2;
    if (half < minCountedBytes) this.#byItem.delete(item);
    else this.#byItem.set(item, half);
  }
}
