import type { JsonObject, JsonValue } from "../../model/json.js";
import { countFeeds } from "../../text/line-ends.js";
import { LIMITS } from "../limits.js";
import { readBlockScalar } from "./block-scalar.js";
import { Cursor, DASH, HASH, LINE_FEED, PLAIN_KEY, SPACE } from "./cursor.js";
import { doubt } from "./doubt.js";
import { FlowReader } from "./flow.js";
import type { Places } from "./places.js";
import { resolvePlain } from "./scalars.js";
import { endOfItem, ToolSources } from "./tool-sources.js";

const LITERAL = 124;
const FOLDED = 62;
/** What a scalar without quotes can begin with and mean nothing else. */
const PLAIN_START = /(?:[A-Za-z0-9_$./+(~^\u00a1-\ufefe]|-(?=[A-Za-z0-9]))/y;
/** An entry of a mapping, as far as its value. */
const ENTRY = new RegExp(`(?:${PLAIN_KEY.source}|"[^"\n]*"|'[^'\n]*'):(?=[ \n])`, "y");

/** Reads the block style, by the columns at which lines begin. */
export class BlockReader {
  readonly #cursor: Cursor;
  readonly #places: Places;
  readonly #flow: FlowReader;
  readonly #tools: ToolSources;
  /** The column of the line's first character; -1 at the end of the text. */
  #column = -1;
  /** Whether the last step to another line went past a comment. */
  #isAfterComment = false;
  /** Whether the value that is read next is the manifest's list of tools. */
  #isAtTools = false;

  /** @param tools takes up the sources of tools */
  constructor(text: string, places: Places, tools = new ToolSources()) {
    this.#cursor = new Cursor(text);
    this.#places = places;
    this.#flow = new FlowReader(this.#cursor, places);
    this.#tools = tools;
  }

  /** @throws DOUBT */
  read(): JsonObject {
    this.#goToContent();
    if (this.#cursor.text.startsWith("---\n", this.#cursor.at) && this.#column === 0) {
      this.#cursor.at += 3;
      this.#nextLine();
    }
    return this.#column === 0 ? this.#mapping(0, 0) : doubt();
  }

  /**
   * Reads an item of a list that was known once more, for its places.
   *
   * @param dash where it begins
   * @returns its record in these
   */
  readAgain(dash: number): number {
    const { text } = this.#cursor;
    this.#cursor.at = dash;
    this.#column = dash - text.lastIndexOf("\n", dash) - 1;
    const record = this.#places.length;
    this.#item(this.#column, 0);
    return record;
  }

  #mapping(column: number, depth: number): JsonObject {
    if (depth >= LIMITS.depth) doubt();
    const cursor = this.#cursor;
    const record = this.#places.open(cursor.at);
    const value: JsonObject = {};
    let count = 0;
    do {
      const keyStart = cursor.at;
      const key = cursor.key();
      this.#places.key(keyStart, cursor.at);
      cursor.at += 1;
      if (Object.hasOwn(value, key) || count++ === LIMITS.keys) doubt();
      this.#isAtTools = depth === 0 && key === "tools";
      value[key] = this.#entryValue(column, depth);
    } while (this.#column === column);
    this.#closeBlock(record, column);
    return value;
  }

  #list(column: number, depth: number): JsonValue[] {
    if (depth >= LIMITS.depth) doubt();
    const record = this.#places.open(this.#cursor.at);
    const value: JsonValue[] = [];
    const isOfTools = depth === 1 && this.#isAtTools;
    do value.push(isOfTools ? this.#tool(column) : this.#item(column, depth));
    while (this.#column === column && this.#isAtDash);
    this.#closeBlock(record, column);
    return value;
  }

  /** A block ends with its last value. */
  #closeBlock(record: number, column: number): void {
    if (this.#column > column) doubt();
    this.#places.close(record, this.#places.lastEnd);
  }

  get #isAtDash(): boolean {
    return this.#cursor.code === DASH && this.#cursor.codeAfter(1) === SPACE;
  }

  /** An item of the list of tools. The last one is always read: the list ends where it does. */
  #tool(column: number): JsonValue {
    const cursor = this.#cursor;
    const { text, at } = cursor;
    const end = endOfItem(text, at, column);
    const isLast = !text.startsWith(`${" ".repeat(column)}- `, end);
    const source = text.slice(at - column, end);
    const known = isLast ? undefined : this.#tools.find(source);
    if (known !== undefined) {
      this.#tools.all.push(source);
      this.#places.skip(at, end);
      cursor.at = end;
      this.#goToContent();
      return known;
    }
    const value = this.#item(column, 1);
    const isEnd = this.#column === -1 ? end === text.length : cursor.at - this.#column === end;
    if (!isEnd) doubt();
    this.#tools.all.push(source);
    return value;
  }

  /** What follows a dash. */
  #item(column: number, depth: number): JsonValue {
    const cursor = this.#cursor;
    const dash = cursor.at;
    cursor.at += 1;
    cursor.skipSpaces();
    const inner = column + cursor.at - dash;
    if (this.#isAtDash) return this.#list(inner, depth + 1);
    return this.#isAtEntry ? this.#mapping(inner, depth + 1) : this.#inLine(column, depth);
  }

  get #isAtEntry(): boolean {
    return this.#cursor.isAt(ENTRY);
  }

  /** What follows the colon of a key. */
  #entryValue(column: number, depth: number): JsonValue {
    const cursor = this.#cursor;
    const isSpaced = cursor.code === SPACE;
    cursor.skipSpaces();
    if (cursor.code !== LINE_FEED && cursor.code !== HASH) {
      return isSpaced ? this.#inLine(column, depth) : doubt();
    }
    this.#endLine();
    if (this.#isAtDash && this.#column >= column) return this.#list(this.#column, depth + 1);
    if (this.#column <= column) doubt();
    return this.#isAtEntry ? this.#mapping(this.#column, depth + 1) : this.#inLine(column, depth);
  }

  /** A value that is no block, of a key or dash in the column. */
  #inLine(column: number, depth: number): JsonValue {
    if (this.#flow.isAtStart) {
      const value = this.#flow.read(column, depth + 1);
      this.#endLine();
      return value;
    }
    const record = this.#places.open(this.#cursor.at);
    return this.#cursor.isAtQuote || this.#isAtText
      ? this.#delimited(record, column)
      : this.#plain(record, column);
  }

  get #isAtText(): boolean {
    return this.#cursor.code === LITERAL || this.#cursor.code === FOLDED;
  }

  /** A scalar that says itself where it ends. */
  #delimited(record: number, column: number): string {
    const cursor = this.#cursor;
    const value = cursor.isAtQuote ? cursor.quoted(column) : readBlockScalar(cursor, column);
    this.#places.close(record, cursor.at);
    this.#endLine();
    return value;
  }

  /** A scalar without quotes, which goes on in lines that are indented more. */
  #plain(record: number, column: number): JsonValue {
    const cursor = this.#cursor;
    if (!cursor.isAt(PLAIN_START)) doubt();
    const first = this.#plainLine();
    let text = first;
    for (;;) {
      const end = cursor.at;
      this.#endLine();
      if (this.#column <= column) {
        this.#places.close(record, end);
        return text === first ? resolvePlain(text) : text;
      }
      if (this.#isAfterComment) doubt();
      const feeds = countFeeds(cursor.text, end, cursor.at);
      text += feeds === 1 ? " " : "\n".repeat(feeds - 1);
      text += this.#plainLine();
    }
  }

  /** The rest of the line, up to a comment. */
  #plainLine(): string {
    const cursor = this.#cursor;
    const { text, at } = cursor;
    let end = cursor.contentEnd;
    while (end > at && text.charCodeAt(end - 1) === SPACE) end -= 1;
    const content = text.slice(at, end);
    if (content.includes(": ") || content.endsWith(":")) doubt();
    cursor.at = at + content.length;
    return content;
  }

  /** Goes on to the next line that says something; nothing but a comment may be left of this one. */
  #endLine(): void {
    const cursor = this.#cursor;
    this.#isAfterComment = false;
    cursor.skipSpaces();
    if (cursor.code === HASH && cursor.codeAfter(-1) === SPACE) this.#skipComment();
    if (!cursor.isAtEnd && cursor.code !== LINE_FEED) doubt();
    this.#nextLine();
  }

  #skipComment(): void {
    this.#isAfterComment = true;
    this.#cursor.at = this.#cursor.lineEnd;
  }

  #nextLine(): void {
    this.#cursor.at += 1;
    this.#goToContent();
  }

  /** From the beginning of a line. */
  #goToContent(): void {
    const cursor = this.#cursor;
    for (;;) {
      const lineStart = cursor.at;
      cursor.skipSpaces();
      if (cursor.isAtEnd) break;
      if (cursor.code === HASH) this.#skipComment();
      else if (cursor.code !== LINE_FEED) {
        this.#column = cursor.at - lineStart;
        return;
      }
      cursor.at += 1;
    }
    this.#column = -1;
  }
}
