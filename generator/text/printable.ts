/** Controls, bidirectional and invisible characters: what must never reach a terminal raw. */
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Cs}/gu;

/** The text with every character that could act on a terminal, or hide, written as `\u001b`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    const hex = code.toString(16).padStart(4, "0");
    return code > 0xffff ? `\\u{${hex}}` : `\\u${hex}`;
  });
}
