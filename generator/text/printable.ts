/** Controls, bidirectional and invisible characters, which must not be written to a terminal. */
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Cs}/gu;

/** Escapes every character that could control a terminal or is invisible, such as `\u001b`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16).padStart(4, "0");
    return code > 0xffff ? `\\u{${hex}}` : `\\u${hex}`;
  });
}

/** Like `printable`, for text of several lines. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** A value as indented JSON that is safe on a terminal. Ends with a newline. */
export function printableJson(value: object): string {
  const lines = JSON.stringify(value, null, 2).split("\n");
  return `${lines.map((line) => line.replace(UNPRINTABLE, escapeUnits)).join("\n")}\n`;
}

/** Like `printableJson`, but on one line. */
export function printableJsonLine(value: object): string {
  return `${JSON.stringify(value).replace(UNPRINTABLE, escapeUnits)}\n`;
}

/** JSON writes supplementary characters as two escapes. */
function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}
