const withoutFinalSlash = new WeakSet<URL>();

/**
 * Reads the URL that a variable has. One without a path may lack the final slash, which {@link textOfVariable} keeps
 * apart: clients and authorization servers compare the names of issuers character by character (RFC 8414, section 3.3).
 */
export function urlOfVariable(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.href === `${url.origin}/` && !text.trim().endsWith("/")) withoutFinalSlash.add(url);
  return url;
}

/** The text of a variable's value. */
export function textOfVariable(value: unknown): string {
  const text = String(value);
  return value instanceof URL && withoutFinalSlash.has(value) ? text.slice(0, -1) : text;
}
