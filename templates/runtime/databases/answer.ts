import type { ContentBlock } from "@modelcontextprotocol/server";
import { text } from "../engine/content.js";
import { ToolError } from "../engine/errors.js";
import { passedOn } from "../tools/result.js";
import type { StatementResult, Row } from "./definition.js";

/** How an answer becomes the result of a tool with an output schema. */
export interface RowsOptions {
  /** Whether the result is the only row, or null if there is none. By default, it is the list of all rows. */
  readonly row?: boolean;
  /** Makes the result of the rows, or of the row. It is not called if there is no row. */
  readonly select?: (rows: unknown) => unknown;
  /** Whether an answer that breaks the schema is an error without the answer. */
  readonly strict?: boolean;
}

/** The result of one statement. */
export class DatabaseAnswer {
  /** The number of changed rows; undefined if the statement reads. */
  readonly changed: number | undefined;
  readonly #name: string;
  readonly #result: StatementResult;
  readonly #inexact: string | undefined;

  /**
   * @param name the name of the database
   * @param inexact the name of a column of numbers with a text that no number of JSON is; undefined if there is none
   */
  constructor(name: string, result: StatementResult, inexact?: string) {
    this.changed = result.changed;
    this.#name = name;
    this.#result = result;
    this.#inexact = inexact;
  }

  /** All rows. @throws ToolError if there are more rows than `maxRows`, or a number of `numbers` would lose digits */
  rows<Rows = readonly Row[]>(): Rows {
    this.#expectExactRows();
    return this.#result.rows as Rows;
  }

  /** The only row; null if there is none. @throws ToolError if there are several, or as {@link rows} does */
  row<Value = Row | null>(): Value {
    this.#expectExactRows();
    return (this.#result.rows[0] ?? null) as Value;
  }

  /**
   * The result of a tool with an output schema: the rows, or the only row. Where they break the schema or there are too
   * many of them, the caller gets them as text with a notice, unless this is strict: the statement has run.
   *
   * @throws ToolError as {@link rows} does, if this is strict
   * @throws SelectionError if a function of `select` cannot take what the rows have
   */
  result<Value = unknown>({ row = false, select, strict = false }: RowsOptions = {}): Value {
    const { rows, isCut } = this.#result;
    const [first] = rows;
    // A copy is marked, so that the same rows are not marked for a strict result.
    const answer = (row ? first && { ...first } : [...rows]) ?? null;
    const value = select === undefined || answer === null ? answer : select(answer);
    return passedOn(
      {
        value,
        error: this.#inexactness(),
        problem: isCut ? `it has more than ${this.#rowsInWords()}` : undefined,
        shown: () => (isCut ? this.content() : [text(JSON.stringify(value))]),
      },
      strict,
    ) as Value;
  }

  /** The values for a completion: the first column of each row as text, without nulls. */
  values(): { readonly values: readonly string[]; readonly hasMore: boolean } {
    const { rows, isCut } = this.#result;
    const column = rows.map((row) => Object.values(row)[0] ?? null);
    const values = column
      .filter((value) => value !== null)
      .map((value) => (typeof value === "object" ? JSON.stringify(value) : String(value)));
    return { values, hasMore: isCut };
  }

  /** The rows as JSON. If there are more rows than `maxRows`, a notice follows. */
  content(): ContentBlock[] {
    const { rows, isCut, changed } = this.#result;
    if (changed !== undefined && rows.length === 0) {
      return [text(changed === 1 ? "1 row was changed." : `${changed} rows were changed.`)];
    }
    const json = text(JSON.stringify(rows));
    return isCut ? [json, text(this.#cutNotice())] : [json];
  }

  /** The only row as JSON; `null` if there is none. If there are several, a notice follows the first. */
  rowContent(): ContentBlock[] {
    const [row = null] = this.#result.rows;
    const json = text(JSON.stringify(row));
    return this.#result.isCut ? [json, text(this.#cutNotice())] : [json];
  }

  #cutNotice(): string {
    const { length } = this.#result.rows;
    const shown = length === 1 ? "This is the first row" : `These are the first ${length} rows`;
    return `${shown}: there are more.`;
  }

  #rowsInWords(): string {
    const { length } = this.#result.rows;
    return length === 1 ? "one row" : `${length} rows`;
  }

  #expectExactRows(): void {
    const error = this.#inexactness();
    if (error !== undefined) throw error;
  }

  /** Why the rows are not those of the database; undefined if they are. */
  #inexactness(): ToolError | undefined {
    const what = `The database ${this.#name} has`;
    if (this.#result.isCut) {
      return new ToolError(`${what} more than ${this.#rowsInWords()} for this.`);
    }
    if (this.#inexact === undefined) return undefined;
    return new ToolError(`${what} a value in ${this.#inexact} that no number of JSON is.`);
  }
}
