import type { ContentBlock } from "@modelcontextprotocol/server";
import { text } from "../engine/content.js";
import { ToolError } from "../engine/errors.js";
import type { Found, Row } from "./definition.js";

/** What a database answered to one statement. */
export class DatabaseAnswer {
  /** How many rows were changed; undefined where the statement reads. */
  readonly changed: number | undefined;
  readonly #name: string;
  readonly #found: Found;

  /** @param name of the database */
  constructor(name: string, found: Found) {
    this.changed = found.changed;
    this.#name = name;
    this.#found = found;
  }

  /** All rows. @throws ToolError where there were more than the statement may have */
  rows<Rows = readonly Row[]>(): Rows {
    this.#expectAll();
    return this.#found.rows as Rows;
  }

  /** The only row, or null. @throws ToolError where there are several */
  row<Value = Row | null>(): Value {
    this.#expectAll();
    return (this.#found.rows[0] ?? null) as Value;
  }

  /** The first column of each row as text, as completions offer them. A row without a value has none. */
  values(): { readonly values: readonly string[]; readonly hasMore: boolean } {
    const { rows, isCut } = this.#found;
    const column = rows.map((row) => Object.values(row)[0] ?? null);
    const values = column
      .filter((value) => value !== null)
      .map((value) => (typeof value === "object" ? JSON.stringify(value) : String(value)));
    return { values, hasMore: isCut };
  }

  /** The rows as JSON; where some are missing, a notice follows. */
  content(): ContentBlock[] {
    const { rows, isCut, changed } = this.#found;
    if (changed !== undefined && rows.length === 0) {
      return [text(changed === 1 ? "1 row was changed." : `${changed} rows were changed.`)];
    }
    const all = text(JSON.stringify(rows));
    if (!isCut) return [all];
    const first =
      rows.length === 1 ? "This is the first row" : `These are the first ${rows.length} rows`;
    return [all, text(`${first}: there are more.`)];
  }

  /** The only row as JSON, or `null`. @throws ToolError where there are several */
  rowContent(): string {
    return JSON.stringify(this.row());
  }

  #expectAll(): void {
    if (!this.#found.isCut) return;
    const { length } = this.#found.rows;
    const most = length === 1 ? "one row" : `${length} rows`;
    throw new ToolError(`The database ${this.#name} has more than ${most} for this.`);
  }
}
