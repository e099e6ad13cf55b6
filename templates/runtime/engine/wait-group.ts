/** Pending items. Code can wait until there is none. */
abstract class PendingItems<Item> implements Iterable<Item> {
  readonly #waiting = new Set<() => void>();

  abstract get size(): number;

  abstract [Symbol.iterator](): Iterator<Item>;

  /** Ends the waiting if no item is pending. */
  protected endWaitingIfEmpty(): void {
    if (this.size > 0) return;
    for (const proceed of this.#waiting) proceed();
  }

  /** Resolves when no item is pending, at the latest after this time. */
  async doneWithin(milliseconds: number): Promise<void> {
    if (this.size === 0) return;
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

/** Pending items that are known by their ids, such as requests. */
export class WaitGroup<Id extends string | number> extends PendingItems<Id> {
  readonly #ids = new Set<Id>();

  get size(): number {
    return this.#ids.size;
  }

  add(id: Id): void {
    this.#ids.add(id);
  }

  /** Removes an item that is done. */
  delete(id: Id): void {
    this.#ids.delete(id);
    this.endWaitingIfEmpty();
  }

  [Symbol.iterator](): Iterator<Id> {
    return this.#ids.values();
  }
}

interface Place<Item> {
  readonly item: Item;
  /** The index in the list; -1 when the item is done. */
  index: number;
}

/**
 * Pending objects. It is no set, since V8 keeps objects that come to a busy set and leave it: when V8 makes a new table for a
 * set, the table before refers to the new one. Once one of them counts as an old object, all later ones outlive the
 * collections of young objects, with the objects that they had.
 */
export class WaitList<Item extends object> extends PendingItems<Item> {
  readonly #places: Place<Item>[] = [];

  get size(): number {
    return this.#places.length;
  }

  /** Adds an object. @returns a function that removes it when it is done; further calls have no effect */
  add(item: Item): () => void {
    const place = { item, index: this.#places.length };
    this.#places.push(place);
    return () => this.#remove(place);
  }

  /** The objects that are pending when the iteration begins. */
  [Symbol.iterator](): Iterator<Item> {
    return this.#places.map(({ item }) => item).values();
  }

  /** Puts the last object in the place of one that is done. */
  #remove(place: Place<Item>): void {
    if (place.index < 0) return;
    const last = this.#places.pop();
    if (last !== undefined && last !== place) {
      this.#places[place.index] = last;
      last.index = place.index;
    }
    place.index = -1;
    this.endWaitingIfEmpty();
  }
}
