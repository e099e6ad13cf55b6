/**
 * Matches invisible characters, which can make a text look like another one: controls except tab and line ends,
 * marks of the writing direction, characters without a width, and lone surrogates.
 */
const invisibleCharacters =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e007f}]/gu;

/** Replaces each invisible character of a text by its code point, as in `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replace(invisibleCharacters, (character) => {
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    return `⟨U+${code}⟩`;
  });
}
