import type { Place } from "../model/place.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";
import { onceForEach } from "../model/once-for-each.js";
import { excerpt } from "../text/excerpt.js";

const splitTexts = onceForEach(
  (texts: LoadedManifest["texts"]) =>
    new Map([...texts].map(([file, text]) => [file, text.split(/\r?\n/)])),
);

/** The lines of the file where a place is. */
const linesOf = ({ texts }: LoadedManifest, { file }: Place): readonly string[] =>
  splitTexts(texts).get(file) ?? [];

/** The part of a line that lies within a place. Empty if the line is outside of the place. */
function lineWithin(manifest: LoadedManifest, place: Place, line: number): string {
  if (line < place.line || line > place.endLine) return "";
  const start = line === place.line ? place.column - 1 : 0;
  const end = line === place.endLine ? place.endColumn - 1 : undefined;
  return (linesOf(manifest, place)[line - 1] ?? "").slice(start, end);
}

/** The part of a place that lies on its first line. */
export function firstLineOf(manifest: LoadedManifest, place: Place): string {
  return lineWithin(manifest, place, place.line);
}

/** Advice for a key for which {@link followsComma} is true. Seen in adrienverge/yamllint#309. */
export const COMMA_ADVICE =
  "in {…} a comma ends a value and begins the next key: put a text with commas in quotes";

/** True if a key follows a comma and has no colon. Mostly it is the end of a text that needs quotes. */
export function followsComma(manifest: LoadedManifest, key: Place): boolean {
  const lines = linesOf(manifest, key);
  const before = (lines[key.line - 1] ?? "").slice(0, key.column - 1).trimEnd();
  const previous = before === "" ? (lines[key.line - 2] ?? "").trimEnd() : before;
  const after = (lines[key.endLine - 1] ?? "").slice(key.endColumn - 1).trimStart();
  return previous.endsWith(",") && /^[,}]/.test(after);
}

/** How many characters before a comment are examined for its key. */
const LONGEST_KEY = 200;

/**
 * Advice for an empty value, after which a text stands that begins with `#` and so is a comment to YAML. Seen in
 * eemeli/yaml#566 (`$ref: #/…`) and pyrochlore/obsidian-tracker#25 (`barColor: #ffaa11`).
 */
export function adviceForComment(manifest: LoadedManifest, place: Place): string | undefined {
  const { line, column } = place;
  const source = linesOf(manifest, place)[line - 1] ?? "";
  const before = source.slice(Math.max(0, column - LONGEST_KEY), column - 1);
  const [comment] = /^ *#[^\s#].*$/.exec(source.slice(column - 1)) ?? [];
  const [, key] = /([\w$.-]+:) *$/.exec(before) ?? [];
  if (comment === undefined || key === undefined) return undefined;
  return `# begins a comment; write ${key} "${excerpt(comment.trim())}"`;
}

/**
 * The place of a range of a text value, `offset` and `length` in UTF-16 units. It is the place of the
 * whole value if the source does not contain the line of the text unchanged.
 */
export function placeInText(
  manifest: LoadedManifest,
  path: ManifestPath,
  text: string,
  offset: number,
  length: number,
): Place {
  const valuePlace = manifest.locate(path, "value");
  const lineStart = text.lastIndexOf("\n", offset - 1) + 1;
  const lineEnd = text.indexOf("\n", offset);
  const lineText = text.slice(lineStart, lineEnd === -1 ? undefined : lineEnd);
  const linesBefore = text.slice(0, lineStart).split("\n").length - 1;
  const line = valuePlace.line + linesBefore + (isBlockScalar(manifest, valuePlace) ? 1 : 0);
  const start = lineWithin(manifest, valuePlace, line).indexOf(lineText);
  if (start === -1) return valuePlace;
  const firstColumn = line === valuePlace.line ? valuePlace.column : 1;
  const column = firstColumn + start + offset - lineStart;
  return { ...valuePlace, line, column, endLine: line, endColumn: column + length };
}

const isBlockScalar = (manifest: LoadedManifest, place: Place): boolean =>
  /^[|>]/.test(firstLineOf(manifest, place));

/** Characters that have a short escape in double-quoted YAML, with the letter of the escape. */
const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\0": "0",
  "\x07": "a",
  "\b": "b",
  "\t": "t",
  "\n": "n",
  "\v": "v",
  "\f": "f",
  "\r": "r",
  "\x1b": "e",
  "\x85": "N",
  "\xa0": "_",
  "\u2028": "L",
  "\u2029": "P",
};

/** The position of the first occurrence of a character within a place, raw or escaped: `column 18` or `line 3, column 7`. */
export function whereInSource(manifest: LoadedManifest, place: Place, character: string): string {
  const pattern = spellings(character);
  for (let line = place.line; line <= place.endLine; line++) {
    const found = lineWithin(manifest, place, line).search(pattern);
    if (found === -1) continue;
    if (line > place.line) return `line ${line}, column ${found + 1}`;
    return `column ${place.column + found}`;
  }
  return `column ${place.column}`;
}

/** Matches a character as itself or as an escape. */
function spellings(character: string): RegExp {
  const hex = (character.codePointAt(0) ?? 0).toString(16);
  const short = SHORT_ESCAPES[character];
  const escapes = [
    `x${hex.padStart(2, "0")}`,
    `u${hex.padStart(4, "0")}`,
    `U${hex.padStart(8, "0")}`,
  ]
    .map((escape) => escape.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`))
    .concat(short === undefined ? [] : [short]);
  const raw = `\\u{${hex}}`;
  return new RegExp(`${raw}|\\\\(?:${escapes.join("|")})`, "u");
}
