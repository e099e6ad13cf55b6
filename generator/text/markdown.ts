import { replaceUnsafe } from "./literal.js";

/**
 * Writes texts of the manifest as Markdown that shows exactly these texts. They cannot become a heading, list,
 * link, HTML, table cell or fence. Every result on one line is safe in a table cell too.
 */

const LINE_END = /\r\n|[\n\r\u2028\u2029]/;

/** Invisible characters that turn the character before them into an emoji, or join two emoji. They are harmless. */
const EMOJI = String.raw`[\u203c\u2049\u2122-\u2bff\u3030\u303d\u3297\u3299\u{1f000}-\u{1faff}]`;
const EMOJI_MARK = new RegExp(`((?<=${EMOJI})\ufe0f|(?<=${EMOJI}\ufe0f?)\u200d(?=${EMOJI}))`, "u");

/** Texts of visible ASCII characters. Most texts are. */
const VISIBLE = /^[ -~]*$/;

function codePointName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

/** Replaces characters that are invisible, or that reorder the text around them, by texts such as `[U+202E]`. */
export function revealInvisible(text: string): string {
  if (VISIBLE.test(text)) return text;
  return text
    .split(EMOJI_MARK)
    .map((part, index) => (index % 2 === 1 ? part : replaceUnsafe(part, codePointName)))
    .join("");
}

/** A run of backticks longer than every run in the text, and at least `least` long. */
function fenceFor(text: string, least: number): string {
  let length = least;
  for (const run of text.match(/`+/g) ?? []) length = Math.max(length, run.length + 1);
  return "`".repeat(length);
}

/** Texts without spaces, and without characters that could end a code span or a table cell. */
const PLAIN_CODE = /^[!-_a-{}~]+$/;

function codeSpan(text: string): string {
  if (text === "") return "";
  const fence = fenceFor(text, 1);
  const padding = /^`|`$|^ .* $/.test(text) ? " " : "";
  return fence + padding + text + padding + fence;
}

/** A code span on one line. A `|` splits the span in two, since inside a span it could end a table cell. */
export function code(text: string): string {
  if (PLAIN_CODE.test(text)) return `\`${text}\``;
  const line = text.split(LINE_END).join("\\n").replaceAll("\t", "\\t");
  return revealInvisible(line).split("|").map(codeSpan).join("&#124;");
}

/** True for words that renderers turn into links, including host names. */
function looksLikeLink(word: string): boolean {
  return /:\/\/|www\.|mailto:|xmpp:|[\w.+-]@\w|[a-z]\.[a-z]{2}/i.test(word);
}

/** Words without characters that may have to be escaped. Most words are. */
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

/** A word that cannot become markup. Something like a link is shown as code, without the punctuation after it. */
function proseWord(word: string): string {
  if (!looksLikeLink(word)) return escapePunctuation(word);
  let end = word.length;
  while (end > 0 && ".,;:!?)".includes(word.charAt(end - 1))) end -= 1;
  return code(word.slice(0, end)) + escapePunctuation(word.slice(end));
}

/** Escapes characters that make headings, lists, rules and underlines at the start of a line. */
function escapeLineStart(line: string): string {
  return line.replace(/^[#+=-]/, "\\$&").replace(/^(\d{1,9})([.)])/, "$1\\$2");
}

/** A character that needs no escape inside a word. A full stop is allowed only at the end, and not after `www`. */
const PLAIN_CHARACTER = String.raw`(?:[A-Za-z0-9"'(),;!?/-]|(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])|(?<![Ww]{3})\.(?= |$))`;

/** Lines of such words with single spaces between them, which need no escapes. Most lines are. */
const PLAIN_LINE = new RegExp(`^(?=[A-Za-z"'])${PLAIN_CHARACTER}+(?: ${PLAIN_CHARACTER}+)*$`);

function proseLine(line: string): string {
  if (PLAIN_LINE.test(line)) return line;
  const words = revealInvisible(line.replaceAll("\t", " ")).split(/ +/);
  const escaped = words.filter((word) => word !== "").map(proseWord);
  // White space other than ASCII is trimmed too: Markdown ignores `**` next to white space.
  return escapeLineStart(escaped.join(" ").trim());
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

/** A fenced block. The fence is longer than any run of backticks in the text. */
export function fenced(language: string, text: string): string {
  const fence = fenceFor(text, 3);
  return `${fence}${language}\n${text}\n${fence}`;
}
