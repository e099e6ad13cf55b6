import { CodeLines } from "./code-lines.js";

/** How a function of a validator starts: with what it has found so far. */
export const NO_ISSUES = "const issues = { count: 0, list: [] };";

/** The code of a validator while it is being written: its lines, and the names that it uses. */
export class SectionLines extends CodeLines {
  readonly pieces = new Set<string>();
  readonly formats = new Set<string>();
  readonly #exportName: string;
  /** Constants by their text, with their names. */
  readonly #constants = new Map<string, string>();
  /** How many variables of each kind there are. */
  #variables = new Map<string, number>();

  constructor(exportName: string) {
    super("  ");
    this.#exportName = exportName;
  }

  /** The declarations of the constants. */
  get constants(): string[] {
    return Array.from(this.#constants, ([text, name]) => `const ${name} = ${text};`);
  }

  /**
   * A block of code, unless there is nothing in it; whether there is.
   *
   * @param isFollowed whether an `else` comes next
   */
  block(head: string, write: () => void, isFollowed = false): boolean {
    this.open(head);
    write();
    return this.close(isFollowed);
  }

  /** A call of a runtime piece. */
  call(piece: string, ...given: readonly string[]): string {
    this.pieces.add(piece);
    return `${piece}(${given.join(", ")})`;
  }

  /** The next name of a kind. */
  variable(kind: string): string {
    const index = this.#variables.get(kind) ?? 0;
    this.#variables.set(kind, index + 1);
    return kind + index;
  }

  /** What is given back makes the next names those that would come now. */
  markNames(): () => void {
    const variables = new Map(this.#variables);
    return () => (this.#variables = variables);
  }

  constant(kind: string, text: string): string {
    const name = this.#constants.get(text) ?? `${this.#exportName}$${kind}${this.#constants.size}`;
    this.#constants.set(text, name);
    return name;
  }
}
