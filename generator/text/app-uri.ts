/**
 * Where clients find the page of a tool's MCP App. Canonical as it stands: tool names hold nothing
 * that a URI would encode.
 */
export function appUri(toolName: string): string {
  return `ui://tools/${toolName}`;
}
