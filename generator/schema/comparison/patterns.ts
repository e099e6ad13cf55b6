import { PatternCosts } from "../patterns/pattern-cost.js";

/** UTF-16 units; a polynomial pattern is quick on texts so short. */
const LONGEST_TEXT = 200;

/** Runs regular expressions of schemas, but none that could take long: those of a lock were never validated. */
export class Patterns {
  readonly #costs = new PatternCosts();
  readonly #expressions = new Map<string, RegExp | undefined>();

  /** Whether a text matches; undefined where it is not tried. */
  matches(source: string, text: string): boolean | undefined {
    if (text.length > LONGEST_TEXT) return undefined;
    return this.#expression(source)?.test(text);
  }

  #expression(source: string): RegExp | undefined {
    if (this.#expressions.has(source)) return this.#expressions.get(source);
    const isQuick = this.#costs.costOf(source).kind === "polynomial";
    const expression = isQuick ? new RegExp(source, "u") : undefined;
    this.#expressions.set(source, expression);
    return expression;
  }
}
