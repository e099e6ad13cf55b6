/** The most regular expressions in the cache; a manifest has few. */
const MAX_CACHED = 10_000;

const expressions = new Map<string, RegExp>();

/**
 * The compiled regular expression of a `pattern`, or of a key of `patternProperties`.
 *
 * @throws SyntaxError if it is no regular expression
 */
export function expressionOf(pattern: string): RegExp {
  let expression = expressions.get(pattern);
  if (expression === undefined) {
    if (expressions.size === MAX_CACHED) expressions.clear();
    expression = new RegExp(pattern, "u");
    expressions.set(pattern, expression);
  }
  return expression;
}
