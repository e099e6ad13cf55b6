/** Most characters that the MCP registry takes in a title or a description. */
export const REGISTRY_TEXT_LENGTH = 100;

/** Whether the MCP registry takes a URL: it fills in what stands in curly brackets. */
export function isRegistryUrl(url: string): boolean {
  return URL.canParse(url) && new URL(url).protocol === "https:" && !/[\s{}]/.test(url);
}
