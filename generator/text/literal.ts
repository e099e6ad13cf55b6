import type { JsonValue } from "../model/json.js";

/**
 * The one writer of literals and comments in generated TypeScript. Every string of a manifest
 * that reaches generated code passes through here, so that none of them can become code.
 */

/**
 * Characters that never stand raw in generated text: controls, line separators, lone surrogates,
 * byte-order marks, bidirectional and other invisible format characters, and tag characters.
 * Written out, since what Unicode counts among them depends on the version of Node.js.
 */
const UNSAFE_CHARACTERS =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** What Node.js takes for the address of a source map, also where it stands in a string. */
const SOURCE_MAP_MARK = /#(?=\s+sourceMappingURL=)/g;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Nothing in such a text has to be escaped: without `#`, it is no address of a source map either. */
const PLAIN_TEXT = /^[ !$-[\]-~]*$/;

/** One line in which nothing has to be escaped for a comment. */
const PLAIN_COMMENT = /^[ -"$-)+-.0-?A-~]*$/;

const PLAIN_KEY = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

function escapeUnit(unit: string): string {
  return SHORT_ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Replaces every character that may not stand raw in generated text. Emoji and other well-formed
 * supplementary characters stay readable; lone surrogates and tag characters do not.
 */
export function replaceUnsafe(text: string, replace: (character: string) => string): string {
  return text.replace(UNSAFE_CHARACTERS, (character) => replace(character));
}

function escapeUnsafe(text: string): string {
  return replaceUnsafe(text, (character) => character.split("").map(escapeUnit).join("")).replace(
    SOURCE_MAP_MARK,
    escapeUnit,
  );
}

/**
 * A double-quoted string literal with the same value as `text`. A backslash at its end is written
 * as a code, since ts-morph takes a quote after `\\\\` for an escaped one: it would see the literal
 * go on, and the next literal as code.
 */
export function writeString(text: string): string {
  if (PLAIN_TEXT.test(text)) return `"${text}"`;
  const quoted = text.replace(/["\\]/g, "\\$&").replace(/\\\\$/, "\\u005c");
  return `"${escapeUnsafe(quoted)}"`;
}

/** A property name for an object literal or a type; `__proto__` is computed so that it stays a plain key. */
export function writeKey(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return PLAIN_KEY.test(key) ? key : writeString(key);
}

/** A number literal; JSON has neither NaN nor infinities, and -0 is kept. */
function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`not a JSON number: ${value}`);
  return Object.is(value, -0) ? "-0" : String(value);
}

/** An expression for a JSON value, keys in their order, one line; prettier lays it out. */
export function writeLiteral(value: JsonValue): string {
  if (typeof value === "string") return writeString(value);
  if (typeof value === "number") return writeNumber(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${value.map(writeLiteral).join(", ")}]`;
  const entries = Object.entries(value).map(
    ([key, item]) => `${writeKey(key)}: ${writeLiteral(item)}`,
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/**
 * Lines for the inside of a doc comment: nothing in them can end the comment, start a directive
 * or a tag, or hide text. The caller adds the stars.
 */
export function commentLines(text: string): string[] {
  if (PLAIN_COMMENT.test(text) && !text.endsWith(" ")) return [text];
  return (
    text
      .split(/\r\n|[\n\r\u2028\u2029]/)
      .map((line) => escapeUnsafe(line).trimEnd())
      .map((line) => line.replaceAll("*/", "*\\/"))
      .map((line) => line.replace(/(^|[\s{])@/g, "$1\\@"))
      // A compiler takes these for its own anywhere in the first comment of a file.
      .map((line) => line.replace(/@(?=jsx)/gi, "@\\"))
      .map((line) => line.replace(/^(\s*)([/#])/, "$1\\$2"))
  );
}

/**
 * A text as part of a template literal. Backslashes are written as codes, so that none of them can be taken
 * for the escape of what follows.
 */
export function writeTemplateText(text: string): string {
  const escaped = text.replace(/[`$\\]/g, (character) =>
    character === "\\" ? "\\u005c" : `\\${character}`,
  );
  return escapeUnsafe(escaped);
}
