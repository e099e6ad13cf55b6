import { isOfCaller } from "../text/caller-placeholders.js";

/** The most characters of a name that model APIs accept. */
const LONGEST = 64;

/** Gives names to the arguments of one tool. Model APIs accept the names, and placeholders can contain them. */
export class ArgumentNames {
  readonly #names = new Set<string>();

  /** True if an argument already has this name. */
  has(name: string): boolean {
    return this.#names.has(name);
  }

  /** Frees a name that was taken. */
  release(name: string): void {
    this.#names.delete(name);
  }

  /**
   * The name itself if it is allowed, or else a similar allowed name. It differs from all names that were taken before.
   *
   * @param prefix a word that is put before a name that is already taken
   */
  take(name: string, prefix: string): string {
    const letters = name.replace(/[^A-Za-z0-9_.-]+/g, "_").replace(/^_+|[_.]+$/g, "") || "value";
    const validName =
      /^[A-Za-z0-9_.-]{1,64}$/.test(name) && isSafe(name) ? name : letters.slice(0, LONGEST);
    const base = isSafe(validName) ? validName : `${validName.replaceAll(".", "_")}_value`;
    let uniqueName = this.#names.has(base) ? `${prefix}_${base}`.slice(0, LONGEST) : base;
    for (let count = 2; this.#names.has(uniqueName); count += 1)
      uniqueName = `${base.slice(0, 60)}_${count}`;
    this.#names.add(uniqueName);
    return uniqueName;
  }
}

/** False for names that every JavaScript object already has, such as `constructor`, and for what is about callers. */
const isSafe = (name: string): boolean => !(name in Object.prototype) && !isOfCaller(name);
