/** The URI of a tool's MCP App page. It is canonical, since tool names have no characters that a URI encodes. */
export function appUri(toolName: string): string {
  return `ui://tools/${toolName}`;
}

/** What stands in place of a file where the page of a tool is made from its output schema. */
export const AUTO_PAGE = "auto";
