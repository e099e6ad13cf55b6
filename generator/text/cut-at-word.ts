/**
 * A text on one line, cut after a whole word and with an ellipsis where it has more characters than
 * `longest`, the ellipsis among them. Characters are code points, as JSON Schema counts them.
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
