/**
 * A text on one line, cut after a whole word with an ellipsis if it is too long.
 *
 * @param longest the most characters, including the ellipsis; counted in code points
 */
export function cutAtWord(text: string, longest: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  const characters = [...line];
  if (characters.length <= longest) return line;
  const beginning = characters.slice(0, longest).join("");
  const end = beginning.lastIndexOf(" ");
  const words = end > 0 ? beginning.slice(0, end) : characters.slice(0, longest - 1).join("");
  return `${words.replace(/[\s,;:.–—-]+$/, "")}…`;
}
