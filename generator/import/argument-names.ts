/** Names of arguments that models take and placeholders can hold. */

const LONGEST = 64;

/** The name itself where it can be one, else the nearest that can, different from all that were given before. */
export class ArgumentNames {
  readonly #taken = new Set<string>();

  /** Whether an argument can have this very name. */
  has(name: string): boolean {
    return this.#taken.has(name);
  }

  take(name: string, other: string): string {
    const letters = name.replace(/[^A-Za-z0-9_.-]+/g, "_").replace(/^_+|[_.]+$/g, "") || "value";
    const base =
      /^[A-Za-z0-9_.-]{1,64}$/.test(name) && isSafe(name) ? name : letters.slice(0, LONGEST);
    const own = isSafe(base) ? base : `${base}_value`;
    let free = this.#taken.has(own) ? `${other}_${own}`.slice(0, LONGEST) : own;
    for (let count = 2; this.#taken.has(free); count += 1) free = `${own.slice(0, 60)}_${count}`;
    this.#taken.add(free);
    return free;
  }
}

/** Names that every object has already are no names of arguments. */
const isSafe = (name: string): boolean => !(name in Object.prototype);
