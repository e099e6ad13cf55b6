import type { ContentBlock } from "@modelcontextprotocol/server";
import { text } from "../engine/content.js";
import { ToolError } from "../engine/errors.js";
import type { StatementResult, Row } from "./definition.js";

/** The result of one statement. */
export class DatabaseAnswer {
  /** The number of changed rows; undefined if the statement reads. */
  readonly changed: number | undefined;
  readonly #name: string;
  readonly #result: StatementResult;

  /** @param name the name of the database */
  constructor(name: string, result: StatementResult) {
    this.changed = result.changed;
    this.#name = name;
    this.#result = result;
  }

  /** All rows. @throws ToolError if there are more rows than `maxRows` */
  rows<Rows = readonly Row[]>(): Rows {
    this.#expectAllRows();
    return this.#result.rows as Rows;
  }

  /** The only row; null if there is none. @throws ToolError if there are several */
  row<Value = Row | null>(): Value {
    this.#expectAllRows();
    return (this.#result.rows[0] ?? null) as Value;
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
    if (!isCut) return [json];
    const notice =
      rows.length === 1 ? "This is the first row" : `These are the first ${rows.length} rows`;
    return [json, text(`${notice}: there are more.`)];
  }

  /** The only row as JSON; `null` if there is none. @throws ToolError if there are several */
  rowContent(): string {
    return JSON.stringify(this.row());
  }

  #expectAllRows(): void {
    if (!this.#result.isCut) return;
    const { length } = this.#result.rows;
    const limit = length === 1 ? "one row" : `${length} rows`;
    throw new ToolError(`The database ${this.#name} has more than ${limit} for this.`);
  }
}
