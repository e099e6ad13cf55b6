import type { FileStatements, TypeScriptPrinter } from "./typescript-printer.js";

/** The printer's line width. */
const LONGEST_LINE = 100;

/**
 * A file that is printed once and filled in for each of many items, since printing takes
 * milliseconds and a server may have thousands of handlers. The result is what the printer would
 * have given; where it might lay the file out otherwise, it is asked.
 */
export class PrintedPattern<Words extends { readonly [key: string]: string }> {
  readonly #printed: Promise<string>;
  readonly #places: RegExp;
  readonly #keyOf: ReadonlyMap<string, keyof Words>;

  /**
   * @param placeholders texts that stand nowhere else in the file, each in the form (identifier,
   *   literal, comment) of the words that take its place
   */
  constructor(
    private readonly printer: TypeScriptPrinter,
    private readonly statements: (words: Words) => FileStatements,
    placeholders: Words,
  ) {
    this.#printed = printer.print(statements(placeholders));
    const entries = Object.entries(placeholders);
    this.#keyOf = new Map(entries.map(([key, text]) => [text, key]));
    const escaped = entries.map(([, text]) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
    this.#places = new RegExp(escaped.join("|"), "g");
  }

  /** The file with these words in it. */
  async fill(words: Words): Promise<string> {
    const filled = (await this.#printed).replace(
      this.#places,
      (found) => words[this.#keyOf.get(found) ?? found] ?? found,
    );
    const fits = filled.split("\n").every((line) => line.length <= LONGEST_LINE);
    return fits && isWrittenAlike(words) ? filled : this.printer.print(this.statements(words));
  }
}

/** The printer would change the quotes of such literals, and the exponents of such numbers. */
function isWrittenAlike(words: { readonly [key: string]: string }): boolean {
  return !Object.values(words).some((text) => /\\"|\de|\n/.test(text));
}
