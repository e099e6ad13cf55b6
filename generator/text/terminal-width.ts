/** East Asian wide and full-width characters (UAX #11) in blocks, and emoji. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u3247\u3250-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe1f\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2ff}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** Characters that combine with the previous one: marks, and Hangul vowels and finals. */
const COMBINING = /[\p{Mn}\p{Me}\u1160-\u11ff]/u;

/** Two of these make a flag of two columns. */
const FLAG_HALF = /\p{Regional_Indicator}/u;

/** The columns of printable text on a terminal: two for wide characters, none for combining ones. */
export function terminalWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

function characterWidth(character: string): 0 | 1 | 2 {
  if (character >= " " && character <= "~") return 1;
  if (COMBINING.test(character)) return 0;
  return WIDE.test(character) && !FLAG_HALF.test(character) ? 2 : 1;
}
