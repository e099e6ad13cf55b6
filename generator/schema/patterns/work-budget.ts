/** The pattern is too long or too tangled to be analysed in a moment. */
export class PatternTooLarge extends Error {}

/** Bounds the work of an analysis, counted in steps of some tenths of a microsecond. */
export class WorkBudget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  get left(): number {
    return this.#left;
  }

  /** @throws PatternTooLarge when nothing is left */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new PatternTooLarge();
  }
}
