/**
 * Where the pieces of a TypeScript module end. Each of these functions takes the offset at which a piece
 * begins, and returns the one behind it: `FAULT` where the piece does not end, or may be wrong.
 */

export const FAULT = -1;

const BACKSLASH = 92;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/** Which ASCII characters are of words: 1 for digits, 2 for those with which words begin. */
const OF_WORDS = new Uint8Array(128);
for (const digit of "0123456789") OF_WORDS[digit.charCodeAt(0)] = 1;
for (const other of "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ$_") {
  OF_WORDS[other.charCodeAt(0)] = 2;
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** Names and keywords. Characters beyond the basic plane are not taken for letters. */
export function beginsWord(source: string, at: number): boolean {
  const code = source.charCodeAt(at);
  return code < 128 ? OF_WORDS[code] === 2 : /^\p{ID_Start}/u.test(source.charAt(at));
}

/** The same offset where no word is. */
export function endOfWord(source: string, start: number): number {
  let at = start;
  for (; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code < 128 ? OF_WORDS[code] === 0 : !/^[\p{ID_Continue}\u200c\u200d]/u.test(source[at]!)) {
      break;
    }
  }
  return at;
}

const NUMBER =
  /(?:0[xX][\da-fA-F](?:_?[\da-fA-F])*|0[bB][01](?:_?[01])*|0[oO][0-7](?:_?[0-7])*|(?:(?:0|[1-9](?:_?\d)*)(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?)n?/y;

/** No number is longer that a person has written. */
const LONGEST_NUMBER = 1_000;

export function endOfNumber(source: string, start: number): number {
  NUMBER.lastIndex = 0;
  const found = NUMBER.exec(source.slice(start, start + LONGEST_NUMBER));
  const end = start + (found?.[0].length ?? 0);
  return found === null || endOfWord(source, end) > end ? FAULT : end;
}

/** @param start of the quotation mark */
export function endOfString(source: string, start: number): number {
  const quote = source.charCodeAt(start);
  for (let at = start + 1; at < source.length; at++) {
    const code = source.charCodeAt(at);
    if (code === quote) return at + 1;
    if (code === BACKSLASH) {
      if (!isEscape(source, at)) return FAULT;
      at += source.charCodeAt(at + 1) === CARRIAGE_RETURN && source[at + 2] === "\n" ? 2 : 1;
    } else if (code === LINE_FEED || code === CARRIAGE_RETURN) {
      return FAULT;
    }
  }
  return FAULT;
}

/**
 * Of a text in a template: behind its `${`, or behind the whole template. In one with a tag, escapes may be
 * anything.
 *
 * @param start behind the mark that opens the text
 */
export function endOfTemplateText(source: string, start: number): number {
  for (let at = start; at < source.length; at++) {
    const character = source[at];
    if (character === "`") return at + 1;
    if (character === "$" && source[at + 1] === "{") return at + 2;
    if (character === "\\") at++;
  }
  return FAULT;
}

const ESCAPE =
  /\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|u\{0{0,9}(?:10|[\da-fA-F])?[\da-fA-F]{1,4}\}|0(?!\d)|[^xu\d])/y;

function isEscape(source: string, at: number): boolean {
  ESCAPE.lastIndex = at;
  return ESCAPE.test(source);
}

/** Of a regular expression with its flags. */
export function endOfRegex(source: string, start: number): number {
  let isInClass = false;
  for (let at = start + 1; at < source.length; at++) {
    switch (source[at]) {
      case "/":
        if (!isInClass) return endOfWord(source, at + 1);
        break;
      case "[":
        isInClass = true;
        break;
      case "]":
        isInClass = false;
        break;
      case "\\":
        at++;
        if (/[\n\r\u2028\u2029]/.test(source[at] ?? "\n")) return FAULT;
        break;
      case "\n":
      case "\r":
      case "\u2028":
      case "\u2029":
        return FAULT;
    }
  }
  return FAULT;
}

const PUNCTUATOR =
  /\.{3}|=>|>>>=|\*\*=|<<=|>>=|===|!==|&&=|\|\|=|\?\?=|[-+*/%&|^<>=!]=|&&|\|\||\?\?|\?\.(?!\d)|\+\+|--|\*\*|<<|[-+*/%&|^~<>=!?:;,.@]/y;

/** Of a sign that is no bracket; closing angles are taken one by one, as types have them. */
export function endOfPunctuator(source: string, start: number): number {
  PUNCTUATOR.lastIndex = start;
  return PUNCTUATOR.test(source) ? PUNCTUATOR.lastIndex : FAULT;
}

/** What stands between two pieces. */
export interface Gap {
  readonly end: number;
  readonly hasLineEnd: boolean;
}

/** Of white space and comments; `undefined` for a comment without an end. */
export function gapAt(source: string, start: number): Gap | undefined {
  let hasLineEnd = false;
  for (let at = start; at < source.length;) {
    const code = source.charCodeAt(at);
    if (code === LINE_FEED || code === CARRIAGE_RETURN || code === 0x2028 || code === 0x2029) {
      hasLineEnd = true;
      at++;
    } else if (isSpace(code)) {
      at++;
    } else if (code === 47 && source[at + 1] === "/") {
      at = endOfLine(source, at);
    } else if (code === 47 && source[at + 1] === "*") {
      const end = source.indexOf("*/", at + 2);
      if (end === -1) return undefined;
      hasLineEnd ||= /[\n\r]/.test(source.slice(at, end));
      at = end + 2;
    } else {
      return { end: at, hasLineEnd };
    }
  }
  return { end: source.length, hasLineEnd };
}

function isSpace(code: number): boolean {
  if (code < 128) return code === 32 || (code >= 9 && code <= 12);
  return code === 0xfeff || /^[\p{Zs}\u0085]/u.test(String.fromCharCode(code));
}

/** The offset of the next line end. */
export function endOfLine(source: string, start: number): number {
  const feed = /[\n\r\u2028\u2029]/g;
  feed.lastIndex = start;
  return feed.exec(source)?.index ?? source.length;
}
