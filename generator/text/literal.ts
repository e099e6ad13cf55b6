import { isList, type ReadonlyJson } from "../model/json.js";

/*
 * Writes literals and comments of generated TypeScript. All strings of a manifest in generated code are written here, so
 * that none of them can become code.
 */

/**
 * Characters that are always escaped in generated text: controls, line separators, lone surrogates, byte-order marks,
 * bidirectional and other invisible format characters, and tag characters. They are listed, since Unicode's categories
 * depend on the version of Node.js.
 */
const UNSAFE_CHARACTERS =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\uffff\u{13430}-\u{1343f}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu;

/** Node.js reads this as the address of a source map, even in a string. */
const SOURCE_MAP_MARK = /#(?=\s+sourceMappingURL=)/g;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A text without characters that need escaping; without `#`, it has no address of a source map. */
const SAFE_TEXT = /^[ !$-[\]-~]*$/;

/** A line of a comment without characters that need escaping. */
const SAFE_COMMENT = /^[ -"$-)+-.0-?A-~]*$/;

const IDENTIFIER_KEY = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

function escapeUnit(unit: string): string {
  return SHORT_ESCAPES[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Replaces every character that must be escaped in generated text. Emoji and other visible supplementary characters are
 * not replaced.
 */
export function replaceUnsafe(text: string, replace: (character: string) => string): string {
  return text.replace(UNSAFE_CHARACTERS, (character) => replace(character));
}

/** Code or a text in which every character that must be escaped in a string literal is. */
export function escapeUnsafe(text: string): string {
  return replaceUnsafe(text, (character) => character.split("").map(escapeUnit).join("")).replace(
    SOURCE_MAP_MARK,
    escapeUnit,
  );
}

/**
 * A double-quoted string literal with the value `text`. A backslash at its end is written as a Unicode escape, since
 * ts-morph reads a quote after `\\\\` as an escaped one: it would miss the end of the literal.
 */
export function writeString(text: string): string {
  if (SAFE_TEXT.test(text)) return `"${text}"`;
  const quoted = text.replace(/["\\]/g, "\\$&").replace(/\\\\$/, "\\u005c");
  return `"${escapeUnsafe(quoted)}"`;
}

/** A property name for an object literal or a type; `__proto__` is computed so that it is an ordinary key. */
export function writeKey(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return IDENTIFIER_KEY.test(key) ? key : writeString(key);
}

/** @throws RangeError for NaN and infinities, which JSON does not have */
function writeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`not a JSON number: ${value}`);
  return Object.is(value, -0) ? "-0" : String(value);
}

/** An expression for a JSON value on one line; keys keep their order. */
export function writeLiteral(value: ReadonlyJson): string {
  if (typeof value === "string") return writeString(value);
  if (typeof value === "number") return writeNumber(value);
  if (value === null || typeof value === "boolean") return String(value);
  if (isList(value)) return `[${value.map(writeLiteral).join(", ")}]`;
  const entries = Object.entries(value).map(
    ([key, item]) => `${writeKey(key)}: ${writeLiteral(item)}`,
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

/**
 * The lines of a doc comment for a text, without stars. They cannot end the comment, start a directive or a tag, or
 * contain invisible characters.
 */
export function commentLines(text: string): string[] {
  if (SAFE_COMMENT.test(text) && !text.endsWith(" ")) return [text];
  return (
    text
      .split(/\r\n|[\n\r\u2028\u2029]/)
      .map((line) => escapeUnsafe(line).trimEnd())
      .map((line) => line.replaceAll("*/", "*\\/"))
      .map((line) => line.replace(/(^|[\s{])@/g, "$1\\@"))
      // Compilers read these directives anywhere in the first comment of a file.
      .map((line) => line.replace(/@(?=jsx)/gi, "@\\"))
      .map((line) => line.replace(/^(\s*)([/#])/, "$1\\$2"))
  );
}

/**
 * A text as part of a template literal. Backslashes are written as Unicode escapes, so that none of them escapes the
 * next character.
 */
export function writeTemplateText(text: string): string {
  const escaped = text.replace(/[`$\\]/g, (character) =>
    character === "\\" ? "\\u005c" : `\\${character}`,
  );
  return escapeUnsafe(escaped);
}
