/**
 * Characters that a reader does not see, and that can make a text look like another one: controls other
 * than tab and line ends, marks of the writing direction, and characters without a width.
 */
const invisible =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]/gu;

/** A text of the server with each invisible character written out, as `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replace(invisible, (character) => {
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    return `⟨U+${code}⟩`;
  });
}
