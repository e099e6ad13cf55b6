/** A string literal in the quotes that need fewer escapes, as prettier has it. */
export function quoted(literal: string): string {
  if (!literal.includes('\\"')) return literal;
  const content = literal.slice(1, -1);
  const count = (quote: string): number => content.split(quote).length;
  if (count('"') <= count("'")) return literal;
  const rewritten = content.replace(/\\(.)|'/g, (found, escaped: string | undefined) => {
    if (escaped === undefined) return "\\'";
    return escaped === '"' ? escaped : found;
  });
  return `'${rewritten}'`;
}
