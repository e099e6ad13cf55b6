import { replaceUnsafe } from "../../text/literal.js";

/**
 * Text of the manifest as Markdown that shows exactly that text: no heading, list, link, HTML,
 * table cell or fence can come out of it. Every result on one line is safe in a table cell too.
 */

const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

/** The marks that make an emoji of the character before them, or join two emoji; they hide nothing. */
const EMOJI = String.raw`[\u203c\u2049\u2122-\u2bff\u3030\u303d\u3297\u3299\u{1f000}-\u{1faff}]`;
const EMOJI_MARK = new RegExp(`((?<=${EMOJI})\ufe0f|(?<=${EMOJI}\ufe0f?)\u200d(?=${EMOJI}))`, "u");

/** Most texts are these characters only. */
const VISIBLE = /^[ -~]*$/;

function codePointName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

/** Shows characters that cannot be seen, or that reorder the text around them, as `[U+202E]`. */
export function revealInvisible(text: string): string {
  if (VISIBLE.test(text)) return text;
  return text
    .split(EMOJI_MARK)
    .map((piece, index) => (index % 2 === 1 ? piece : replaceUnsafe(piece, codePointName)))
    .join("");
}

/** A run of backticks longer than every run in the text, and at least `least` long. */
function fenceFor(text: string, least: number): string {
  let length = least;
  for (const run of text.match(/`+/g) ?? []) length = Math.max(length, run.length + 1);
  return "`".repeat(length);
}

/** Neither spaces nor what could end a code span or a table cell. */
const PLAIN_CODE = /^[!-_a-{}~]+$/;

function codeSpan(text: string): string {
  if (text === "") return "";
  const fence = fenceFor(text, 1);
  const padding = /^`|`$|^ .* $/.test(text) ? " " : "";
  return fence + padding + text + padding + fence;
}

/** A code span on one line. A `|` stands between two spans, since inside one it could end a table cell. */
export function code(text: string): string {
  if (PLAIN_CODE.test(text)) return `\`${text}\``;
  const line = text.split(LINE_END).join("\\n").replaceAll("\t", "\\t");
  return revealInvisible(line).split("|").map(codeSpan).join("&#124;");
}

/** What renderers turn into links by themselves, host names included. */
function looksLikeLink(word: string): boolean {
  return /:\/\/|www\.|mailto:|xmpp:|[\w.+-]@\w|[a-z]\.[a-z]{2}/i.test(word);
}

/** Most words have none of what may have to be escaped. */
const PLAIN_WORD = /^[^\\`*[\]~$_&<>|]*$/;

function escapePunctuation(word: string): string {
  if (PLAIN_WORD.test(word)) return word;
  return word
    .replace(/[\\`*[\]~$]/g, "\\$&")
    .replace(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\_")
    .replace(/&(?=#?\w)/g, "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll("|", "&#124;");
}

/** A word in which nothing is live: a would-be link is shown as code, without the punctuation that ends it. */
function proseWord(word: string): string {
  if (!looksLikeLink(word)) return escapePunctuation(word);
  let end = word.length;
  while (end > 0 && ".,;:!?)".includes(word.charAt(end - 1))) end -= 1;
  return code(word.slice(0, end)) + escapePunctuation(word.slice(end));
}

/** At the start of a line these make headings, lists, rules and underlines. */
function escapeLineStart(line: string): string {
  return line.replace(/^[#+=-]/, "\\$&").replace(/^(\d{1,9})([.)])/, "$1\\$2");
}

/** What may stand anywhere in a word of plain prose; a full stop only ends one, and not `www.`. */
const PLAIN_CHARACTER = String.raw`(?:[A-Za-z0-9"'(),;!?/-]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])|(?<![Ww]{3})\.(?= |$))`;

/** Most lines are words like that, with a space between each two: nothing in them has to be escaped. */
const PLAIN_LINE = new RegExp(`^(?=[A-Za-z"'])${PLAIN_CHARACTER}+(?: ${PLAIN_CHARACTER}+)*$`);

function proseLine(line: string): string {
  if (PLAIN_LINE.test(line)) return line;
  const words = revealInvisible(line.replaceAll("\t", " ")).split(/ +/);
  const shown = words.filter((word) => word !== "").map(proseWord);
  // White space beyond ASCII at an end would keep the marks around the text from being marks.
  return escapeLineStart(shown.join(" ").trim());
}

/** Free text on one line. */
export function prose(text: string): string {
  return PLAIN_LINE.test(text) ? text : proseLine(text.split(LINE_END).join(" "));
}

/** Free text with its line breaks and blank lines kept. */
export function paragraphs(text: string): string {
  const lines = text.split(LINE_END).map(proseLine);
  const broken = lines.map((line, index) =>
    line !== "" && (lines[index + 1] ?? "") !== "" ? `${line}\\` : line,
  );
  return broken
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .replace(/^\n+|\n+$/g, "");
}

/** A fenced block of a text that we wrote ourselves; the fence outlasts any backticks of the manifest in it. */
export function fenced(language: string, text: string): string {
  const fence = fenceFor(text, 3);
  return `${fence}${language}\n${text}\n${fence}`;
}
