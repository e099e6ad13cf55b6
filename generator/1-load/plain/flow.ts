import type { JsonObject, JsonValue } from "../../model/json.js";
import { LIMITS } from "../limits.js";
import {
  CLOSE_LIST,
  CLOSE_MAPPING,
  COMMA,
  LINE_FEED,
  OPEN_LIST,
  OPEN_MAPPING,
  QUOTE,
  SPACE,
  type Cursor,
} from "./cursor.js";
import { doubt } from "./doubt.js";
import { parseJsonLine } from "./json-line.js";
import type { Places } from "./places.js";
import { resolvePlain } from "./scalars.js";

/** Up to what could end it, or make it something else. */
const PLAIN =
  /(?:[A-Za-z0-9_$./+~\u00a1-\ufefe]|-(?=[A-Za-z0-9]))(?:[^,[\]{}:#\n]|:(?![\s,[\]{}]|$))*/my;

/** Reads lists and mappings in brackets. */
export class FlowReader {
  readonly #cursor: Cursor;
  readonly #places: Places;
  /** The column of the block around; further lines are indented more. */
  #indent = 0;

  constructor(cursor: Cursor, places: Places) {
    this.#cursor = cursor;
    this.#places = places;
  }

  get isAtStart(): boolean {
    const { code } = this.#cursor;
    return code === OPEN_MAPPING || code === OPEN_LIST;
  }

  /**
   * @param indent the column of the block around it
   * @param depth levels of lists and mappings around it
   */
  read(indent: number, depth: number): JsonValue {
    this.#indent = indent;
    return this.#jsonLine(depth) ?? this.#collection(depth);
  }

  /**
   * Reads a list or mapping that was read as a whole once more, for its places.
   *
   * @returns its record in these
   */
  readAgain(start: number): number {
    this.#cursor.at = start;
    const record = this.#places.length;
    this.#collection(0);
    return record;
  }

  /** A mapping that takes up the rest of the line. */
  #jsonLine(depth: number): JsonValue | undefined {
    const cursor = this.#cursor;
    if (cursor.code !== OPEN_MAPPING || cursor.codeAfter(1) !== QUOTE) return undefined;
    const { text, at } = cursor;
    let end = cursor.lineEnd;
    while (text.charCodeAt(end - 1) === SPACE) end -= 1;
    const value = parseJsonLine(text.slice(at, end), depth);
    if (value === undefined) return undefined;
    this.#places.closeWhole(this.#places.open(at), end);
    cursor.at = end;
    return value;
  }

  #collection(depth: number): JsonValue {
    if (depth >= LIMITS.depth) doubt();
    const record = this.#places.open(this.#cursor.at);
    const isMapping = this.#cursor.code === OPEN_MAPPING;
    const value = isMapping ? this.#mapping(depth) : this.#list(depth);
    this.#places.close(record, this.#cursor.at);
    return value;
  }

  #mapping(depth: number): JsonObject {
    const cursor = this.#cursor;
    const value: JsonObject = {};
    for (let count = 0; this.#hasNext(CLOSE_MAPPING, count); count += 1) {
      const isQuoted = cursor.isAtQuote;
      const keyStart = cursor.at;
      const key = cursor.key();
      this.#places.key(keyStart, cursor.at);
      cursor.at += 1;
      if (!isQuoted && cursor.code !== SPACE) doubt();
      this.#skipBlank();
      if (Object.hasOwn(value, key) || count === LIMITS.keys) doubt();
      value[key] = this.#value(depth);
    }
    return value;
  }

  #list(depth: number): JsonValue[] {
    const value: JsonValue[] = [];
    while (this.#hasNext(CLOSE_LIST, value.length)) value.push(this.#value(depth));
    return value;
  }

  /** Goes to the next entry, past the opening bracket or a comma; false past the closing bracket. */
  #hasNext(close: number, count: number): boolean {
    const cursor = this.#cursor;
    if (count > 0) this.#skipBlank();
    const isClosed = count > 0 && cursor.code === close;
    if (!isClosed) {
      if (count > 0 && cursor.code !== COMMA) doubt();
      cursor.at += 1;
      this.#skipBlank();
      if (cursor.code === COMMA) doubt();
      if (cursor.code !== close) return true;
    }
    cursor.at += 1;
    return false;
  }

  #value(depth: number): JsonValue {
    const cursor = this.#cursor;
    if (this.isAtStart) return this.#collection(depth + 1);
    const start = cursor.at;
    const record = this.#places.open(start);
    if (cursor.isAtQuote) {
      const value = cursor.quoted(this.#indent);
      this.#places.close(record, cursor.at);
      return value;
    }
    const text = cursor.match(PLAIN).replace(/ +$/, "");
    this.#places.close(record, start + text.length);
    return resolvePlain(text);
  }

  #skipBlank(): void {
    const cursor = this.#cursor;
    cursor.skipSpaces();
    while (cursor.code === LINE_FEED) {
      cursor.at += 1;
      const lineStart = cursor.at;
      cursor.skipSpaces();
      const isBlank = cursor.code === LINE_FEED;
      if (!isBlank && cursor.at - lineStart <= this.#indent) doubt();
    }
  }
}
