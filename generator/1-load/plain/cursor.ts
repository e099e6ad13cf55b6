import { doubt } from "./doubt.js";
import { isStringKey, unescape } from "./scalars.js";

export const LINE_FEED = 10;
export const SPACE = 32;
export const QUOTE = 34;
export const HASH = 35;
const APOSTROPHE = 39;
export const COMMA = 44;
export const DASH = 45;
const COLON = 58;
export const OPEN_LIST = 91;
export const CLOSE_LIST = 93;
export const OPEN_MAPPING = 123;
export const CLOSE_MAPPING = 125;

/** A key without quotes. */
export const PLAIN_KEY = /[A-Za-z_$/\u00a1-\ufefe][A-Za-z0-9_$./+@\u00a1-\ufefe-]*/y;

/** A place in a text that moves forward, and what both ways of writing YAML have in common. */
export class Cursor {
  at = 0;
  #lineEnd = -1;
  #comment = -1;
  #backslash = -1;

  constructor(readonly text: string) {}

  get code(): number {
    return this.text.charCodeAt(this.at);
  }

  codeAfter(count: number): number {
    return this.text.charCodeAt(this.at + count);
  }

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  /** Where the line ends: at its line feed, or the text's end. */
  get lineEnd(): number {
    if (this.#lineEnd < this.at) this.#lineEnd = this.#find("\n", this.at);
    return this.#lineEnd;
  }

  /** Where the line ends, or a comment begins behind a space. */
  get contentEnd(): number {
    if (this.#comment < this.at) this.#comment = this.#find(" #", this.at);
    return Math.min(this.#comment, this.lineEnd);
  }

  skipSpaces(): void {
    while (this.code === SPACE) this.at += 1;
  }

  /** Reads what the expression, which is sticky, finds here. */
  match(expression: RegExp): string {
    const { at } = this;
    if (!this.isAt(expression)) return doubt();
    this.at = expression.lastIndex;
    return this.text.slice(at, this.at);
  }

  /** Whether the expression, which is sticky, finds something here. */
  isAt(expression: RegExp): boolean {
    expression.lastIndex = this.at;
    return expression.test(this.text);
  }

  /** Reads a key; the colon is next. */
  key(): string {
    const isQuoted = this.isAtQuote;
    const key = isQuoted ? this.quoted() : this.match(PLAIN_KEY);
    if (this.code !== COLON || key.length > 1000) doubt();
    const isKnown = isQuoted ? key !== "__proto__" : isStringKey(key);
    return isKnown ? key : doubt();
  }

  get isAtQuote(): boolean {
    return this.code === QUOTE || this.code === APOSTROPHE;
  }

  /**
   * Reads a scalar in quotes.
   *
   * @param indent further lines are indented more; absent where there may be none
   */
  quoted(indent = Infinity): string {
    const start = this.at;
    const { code, lineEnd } = this;
    const isSingle = code === APOSTROPHE;
    const end = isSingle ? this.#endOfSingle() : this.#endOfDouble();
    if (this.text.charCodeAt(end) !== code) doubt();
    const isEscaped = !isSingle && this.#backslash < end;
    const written = this.text.slice(start + 1, end);
    const content = end < lineEnd ? written : foldLines(written, indent, isEscaped);
    this.at = end + 1;
    if (isSingle) return content.replaceAll("''", "'");
    return isEscaped ? unescape(`"${content}"`) : content;
  }

  #endOfSingle(): number {
    let end = this.#find("'", this.at + 1);
    while (this.text.charCodeAt(end + 1) === APOSTROPHE) end = this.#find("'", end + 2);
    return end;
  }

  /** Afterwards, `#backslash` is the first one after the opening quote. */
  #endOfDouble(): number {
    if (this.#backslash < this.at) this.#backslash = this.#find("\\", this.at);
    let end = this.#find('"', this.at + 1);
    let escape = this.#backslash;
    while (escape < end) {
      if (escape + 1 === end) end = this.#find('"', end + 1);
      escape = this.#find("\\", escape + 2);
    }
    return end;
  }

  /** The next place of a character, or the text's end. */
  #find(character: string, from: number): number {
    const found = this.text.indexOf(character, from);
    return found === -1 ? this.text.length : found;
  }
}

/** A line feed is a space, and further ones in a row are what they are. */
function foldLines(text: string, indent: number, isEscaped: boolean): string {
  return text.replace(/ *\n[ \n]*/g, (between) => {
    const column = between.length - between.lastIndexOf("\n") - 1;
    if (column <= indent) doubt();
    const feeds = between.split("\n").length - 2;
    return feeds === 0 ? " " : (isEscaped ? "\\n" : "\n").repeat(feeds);
  });
}
