/** The analysis of a pattern exceeds its work budget. */
export class PatternTooLarge extends Error {}

/** Limits the work of an analysis, in steps that take some tenths of a microsecond. */
export class WorkBudget {
  #left: number;

  constructor(steps: number) {
    this.#left = steps;
  }

  get left(): number {
    return this.#left;
  }

  /** @throws PatternTooLarge if fewer steps are left */
  spend(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw new PatternTooLarge();
  }
}
