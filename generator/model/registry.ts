/** The maximum number of characters of a title or a description in the MCP registry. */
export const REGISTRY_TEXT_LENGTH = 100;

/** True if the MCP registry accepts a URL. Curly brackets are refused, since the registry reads them as variables. */
export function isRegistryUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === "https:" && !/[\s{}]/.test(url);
}
