import type { JsonObject } from "../../model/json.js";
import { HASH, LINE_FEED, SPACE } from "./cursor.js";

/**
 * Finds what a tool's source is known to say.
 *
 * @param source the lines of its item, with the indentation of the dash
 * @returns undefined where it has to be read
 */
export type KnownSource = (source: string) => JsonObject | undefined;

/** The sources of a manifest's tools, in order, and which of them were known. */
export class ToolSources {
  /** Each but the last ends where the next begins. */
  readonly all: string[] = [];
  readonly known = new Set<JsonObject>();
  readonly #find: KnownSource | undefined;

  constructor(find?: KnownSource) {
    this.#find = find;
  }

  find(source: string): JsonObject | undefined {
    const tool = this.#find?.(source);
    if (tool !== undefined) this.known.add(tool);
    return tool;
  }
}

/**
 * Where an item of a list in blocks ends: at the line of the next item, or of what follows the list.
 *
 * @param at its dash
 * @param column that of the dash
 */
export function endOfItem(text: string, at: number, column: number): number {
  for (let line = text.indexOf("\n", at) + 1; line > 0; line = text.indexOf("\n", line) + 1) {
    const last = line + column;
    let start = line;
    while (start <= last && text.charCodeAt(start) === SPACE) start += 1;
    if (start > last || start >= text.length) continue;
    const code = text.charCodeAt(start);
    if (code !== LINE_FEED && code !== HASH) return line;
  }
  return text.length;
}
