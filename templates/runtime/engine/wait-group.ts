/** A set of pending items. Code can wait until it is empty. */
export class WaitGroup<Item> implements Iterable<Item> {
  readonly #items = new Set<Item>();
  readonly #waiting = new Set<() => void>();

  get size(): number {
    return this.#items.size;
  }

  add(item: Item): void {
    this.#items.add(item);
  }

  /** Removes an item that is done. */
  delete(item: Item): void {
    this.#items.delete(item);
    if (this.#items.size > 0) return;
    for (const proceed of this.#waiting) proceed();
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.#items.values();
  }

  /** Resolves when no item is pending, at the latest after this time. */
  async doneWithin(milliseconds: number): Promise<void> {
    if (this.#items.size === 0) return;
    await new Promise<void>((resolve) => {
      const proceed = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(proceed);
        resolve();
      };
      const timer = setTimeout(proceed, milliseconds);
      this.#waiting.add(proceed);
    });
  }
}
