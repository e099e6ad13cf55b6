import { renderText, type TextTemplate } from "../engine/fixed-content.js";

/** Longest text of a value that is shown whole, in characters. */
const maxShown = 120;
/** What is shown of the beginning and the end of a longer text, in characters. */
const shownStart = 80;
const shownEnd = 30;
/** Longest question, in UTF-16 code units. */
const maxLength = 16_384;

/**
 * Characters that a person does not see, or that change how others are shown: controls, marks of the writing direction,
 * line breaks, unusual and invisible spaces, selectors of variants, and what Unicode has not assigned.
 */
const UNSEEN =
  /[\p{C}\p{Z}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]/gu;

/**
 * Returns the question whether a tool may run. Values of arguments are quoted, so that none can be taken for the text
 * of the manifest; long ones are shortened, and characters that a person does not see are escaped.
 * @throws RangeError if the question would be too long
 */
export function consentQuestion(
  template: TextTemplate,
  input: Readonly<Record<string, unknown>>,
): string {
  const shown = Object.entries(input).map(([name, value]) => [name, shownValue(value)]);
  return renderText(template, Object.fromEntries(shown) as Record<string, unknown>, maxLength);
}

/** A value as the question shows it; undefined for an absent one. */
function shownValue(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "string") return quotedText(value);
  const json = JSON.stringify(value);
  const characters = [...json];
  return characters.length <= maxShown
    ? escaped(json)
    : `${escaped(characters.slice(0, shownStart).join(""))}… (${characters.length} characters)`;
}

/** Quotes a text. No text in quotes can end them, so that what stands after them is not of the text. */
function quotedText(text: string): string {
  const characters = [...text];
  const { length } = characters;
  if (length <= maxShown) return quote(text);
  const start = quote(characters.slice(0, shownStart).join(""));
  return `${start}…${quote(characters.slice(-shownEnd).join(""))} (${length} characters)`;
}

function quote(text: string): string {
  return escaped(JSON.stringify(text));
}

function escaped(text: string): string {
  return text.replace(UNSEEN, (character) =>
    character === " " ? character : `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
