/**
 * A budget of work for all schemas of a manifest. Besides, the schema of each tool has a small allowance. If it needs
 * no more than that, the findings about it do not depend on other schemas.
 */
export class SharedWork {
  /** The budget that all schemas share. */
  readonly total: number;
  #left: number;
  readonly #allowanceOfEach: number;
  #allowance = 0;

  constructor(work: number, allowanceOfEach: number) {
    this.total = work;
    this.#left = work;
    this.#allowanceOfEach = allowanceOfEach;
  }

  /** Starts the next schema. Call it before each schema, with true for the schema of a tool. */
  begin(hasAllowance: boolean): void {
    this.#allowance = hasAllowance ? this.#allowanceOfEach : 0;
  }

  /** What is left of the present schema's allowance. */
  get allowance(): number {
    return this.#allowance;
  }

  /** What the present schema may still spend: its allowance and the shared budget. */
  get left(): number {
    return this.#allowance + this.#left;
  }

  /** Spends the allowance first. `work` may be more than is left. */
  spend(work: number): void {
    const fromAllowance = Math.min(this.#allowance, work);
    this.#allowance -= fromAllowance;
    this.#left = Math.max(0, this.#left - (work - fromAllowance));
  }
}
