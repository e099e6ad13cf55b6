import { isScalar } from "yaml";
import { quotedSource, textInBrackets } from "../text/flow-text.js";
import type { Changes, Site } from "./site.js";
import { YamlSource } from "./yaml-source.js";

/** Edits of lines that are not YAML yet. */

/** Characters that look like a space and have its width. */
const WIDE_SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;

/** Spaces in place of those that only look so: at the starts of all lines, and after the sign at the site. */
export function useSpaces({ source, start }: Site): Changes {
  const { text } = source;
  if ((text[start] ?? "").replace(WIDE_SPACES, "") !== "") return undefined;
  const isStart = (at: number) =>
    text.slice(source.lineStart(at), at).replace(WIDE_SPACES, "").trim() === "";
  const at = [...text.matchAll(WIDE_SPACES)].map(({ index }) => index);
  return at
    .filter((index) => isStart(index) || isRunFrom(text, start, index))
    .map((index) => ({ start: index, end: index + 1, text: " " }));
}

/** True if only such spaces are between two offsets. */
function isRunFrom(text: string, start: number, index: number): boolean {
  return start <= index && text.slice(start, index).replace(WIDE_SPACES, "").trim() === "";
}

/** Two spaces for each tab, where no line is indented with spaces, so that the depth of each is certain. */
export function indentWithSpaces({ source }: Site): Changes {
  const { text } = source;
  if (/^ +\S/m.test(text) || /^\t+ /m.test(text)) return undefined;
  return [...text.matchAll(/^\t+/gm)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
    text: "  ".repeat(length),
  }));
}

/** Quotes around what follows the key or the dash of a line, or, inside brackets, around the text at the site. */
export function quoteLine({ source, start }: Site): Changes {
  const first = source.lineStart(start);
  const line = source.text.slice(first, source.lineEnd(start));
  const inside = textInBrackets(line, start - first);
  if (inside !== "none") {
    if (inside === undefined) return undefined;
    const { start: from, end: to } = inside;
    return [{ start: first + from, end: first + to, text: quotedSource(line.slice(from, to)) }];
  }
  const [, before = "", value = ""] = /^( *(?:- +)*(?:[\w$.-]+: +)?)(\S.*?) *$/.exec(line) ?? [];
  const text = textMeantBy(value, TEXT_KEY.test(before));
  if (before.trim() === "" || text === undefined) return undefined;
  if (text.includes("'") && text.includes('"')) return undefined;
  const at = first + before.length;
  return [{ start: at, end: at + value.length, text: quotedSource(text) }];
}

/** A key whose value is read by people, so that brackets at its start are part of a text. */
const TEXT_KEY = /(?:title|description|summary|instructions|message|text): +$/;

/** The text that a value of a line was meant to be, where that is certain. */
function textMeantBy(value: string, isText: boolean): string | undefined {
  // A comment may follow, of YAML or of JavaScript.
  if (/\s(?:#|\/\/)|^[|>#]|,$/.test(value)) return undefined;
  const isMarkedText = isText && /^\[[^:,[\]{}]*\] *[^\s,]/.test(value);
  if (value.startsWith("[") && !isMarkedText) return undefined;
  const quote = /^["']/.exec(value)?.[0];
  if (quote === undefined) return value;
  const parts = value.split(quote).length - 1;
  if (!value.endsWith(quote)) return parts === 2 ? value : undefined;
  return parts === 3 && !value.includes("\\") ? value.slice(1, -1) : undefined;
}

/** Quotes around the text after the tag `!!str`. */
export function quoteTagged({ source, start }: Site): Changes {
  const rest = source.text.slice(start, source.lineEnd(start));
  const [all = "", value] =
    /^!!str +([^\s"'&*!|>#[\]{},][^#"'\\,[\]{}]*?)(?= *$| *[,}\]])/.exec(rest) ?? [];
  return value === undefined
    ? undefined
    : [{ start, end: start + all.length, text: quotedSource(value) }];
}

/** The escape of a control character, which only double quotes have. */
export function escapeCharacter({ source, start }: Site): Changes {
  // Without such characters, the text can be parsed.
  const readable = source.text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "x");
  const around = new YamlSource(source.file, readable)
    .nodes()
    .find(({ node, ...at }) => isScalar(node) && at.start < start && start < at.end);
  if (!isScalar(around?.node) || around.node.type !== "QUOTE_DOUBLE") return undefined;
  const code = source.text.charCodeAt(start).toString(16).padStart(4, "0");
  return [{ start, end: start + 1, text: `\\u${code}` }];
}

export function doubleBackslash({ source, start }: Site): Changes {
  return source.text[start] === "\\" ? [{ start, end: start, text: "\\" }] : undefined;
}
