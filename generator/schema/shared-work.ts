/**
 * Work that is bounded for all schemas of a manifest together. A schema of a tool may do a little of it without
 * taking from the others: where it needs no more, what is found in it does not depend on them.
 */
export class SharedWork {
  /** How much there is for all of them. */
  readonly total: number;
  #left: number;
  readonly #ownOfEach: number;
  #own = 0;

  constructor(work: number, ownOfEach: number) {
    this.total = work;
    this.#left = work;
    this.#ownOfEach = ownOfEach;
  }

  /** Before each schema, or what else is checked alone. */
  begin(hasOwn: boolean): void {
    this.#own = hasOwn ? this.#ownOfEach : 0;
  }

  get own(): number {
    return this.#own;
  }

  get left(): number {
    return this.#own + this.#left;
  }

  /** @param work more than is left where that was not enough */
  spend(work: number): void {
    const own = Math.min(this.#own, work);
    this.#own -= own;
    this.#left = Math.max(0, this.#left - (work - own));
  }
}
