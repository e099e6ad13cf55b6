/** Controls, line separators, bidirectional marks and unpaired surrogates. */
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Cs}/gu;

/** A text without any of them: a test that is quick, since most texts pass it. */
const ASCII = /^[ -~]*$/;

/**
 * Makes an untrusted text safe for an error message or a log: at most `limit` characters, with characters
 * that could control a terminal escaped as in `\u001b`.
 */
export function printable(text: string, limit: number): string {
  const cut = text.length > limit ? `${text.slice(0, limit)}…` : text;
  if (ASCII.test(cut)) return cut;
  return cut.replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
