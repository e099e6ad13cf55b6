import { PatternCosts } from "../patterns/pattern-cost.js";

/** In UTF-16 units. */
const MAX_TEXT_LENGTH = 200;

/** Runs the regular expressions of schemas unless they could take long: mcpwright never validated those of a lock. */
export class Patterns {
  readonly #costs = new PatternCosts();
  readonly #expressions = new Map<string, RegExp | undefined>();

  /** True if a text matches; undefined if the pattern or the text could take long, so that it was not tried. */
  matches(source: string, text: string): boolean | undefined {
    if (text.length > MAX_TEXT_LENGTH) return undefined;
    return this.#expression(source)?.test(text);
  }

  /** True if every text up to a length, in characters, is matched quickly. */
  isQuick(source: string, length: number = MAX_TEXT_LENGTH): boolean {
    const cost = this.#costs.costOf(source);
    return cost.kind === "polynomial" && cost.longestText >= length;
  }

  #expression(source: string): RegExp | undefined {
    if (this.#expressions.has(source)) return this.#expressions.get(source);
    const expression = this.isQuick(source) ? new RegExp(source, "u") : undefined;
    this.#expressions.set(source, expression);
    return expression;
  }
}
