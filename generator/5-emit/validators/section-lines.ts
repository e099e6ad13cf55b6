/** The code of a validator while it is being written: its lines, and the names that it uses. */
export class SectionLines {
  readonly pieces = new Set<string>();
  readonly formats = new Set<string>();
  readonly #exportName: string;
  /** Constants by their text, with their names. */
  readonly #constants = new Map<string, string>();
  /** How many variables of each kind there are. */
  #variables = new Map<string, number>();
  readonly #lines: string[] = [];
  #indentation = "  ";

  constructor(exportName: string) {
    this.#exportName = exportName;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** The declarations of the constants. */
  get constants(): string[] {
    return Array.from(this.#constants, ([text, name]) => `const ${name} = ${text};`);
  }

  add(text: string): void {
    this.#lines.push(this.#indentation + text);
  }

  /** Code between braces, unless there is none; whether there is. */
  block(opening: string, write: () => void): boolean {
    const start = this.#lines.length;
    this.add(`${opening} {`);
    const outside = this.#indentation;
    this.#indentation = `${outside}  `;
    write();
    this.#indentation = outside;
    const isEmpty = this.#lines.length === start + 1;
    if (isEmpty) this.takeBack(start);
    else this.add("}");
    return !isEmpty;
  }

  /** Forgets all lines but so many. */
  takeBack(count: number): void {
    this.#lines.length = count;
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
