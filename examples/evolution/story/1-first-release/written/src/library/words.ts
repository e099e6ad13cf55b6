/** The words of a text without case and accents: `Brontë, Emily` gives `bronte` and `emily`. */
export function wordsOf(text: string): string[] {
  const plain = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
