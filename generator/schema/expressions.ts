/** Regular expressions that are kept; a manifest has few. */
const MOST_KEPT = 10_000;

const expressions = new Map<string, RegExp>();

/** The regular expression of a `pattern`, or of a name under `patternProperties`. */
export function expressionOf(pattern: string): RegExp {
  let expression = expressions.get(pattern);
  if (expression === undefined) {
    if (expressions.size === MOST_KEPT) expressions.clear();
    expression = new RegExp(pattern, "u");
    expressions.set(pattern, expression);
  }
  return expression;
}
