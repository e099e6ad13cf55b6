import type { Tool } from "@modelcontextprotocol/server";

const listResources: Tool = {
  name: "list_resources",
  title: "List resources",
  description:
    "Lists what `read_resource` can read: `resources` with their URIs, and `templates` of URIs, whose variables in braces stand for values. Where there is a `nextCursor`, call again with it as `cursor` for the next page.",
  inputSchema: {
    type: "object",
    properties: {
      cursor: { type: "string", description: "The `nextCursor` of the page before." },
    },
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

const readResource: Tool = {
  name: "read_resource",
  title: "Read a resource",
  description:
    "Reads a resource of this server. Give a URI that `list_resources` has listed, or one that fits a template which it has listed.",
  inputSchema: {
    type: "object",
    properties: { uri: { type: "string", description: "The URI of the resource." } },
    required: ["uri"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true },
};

/** The two tools, in the order in which they are listed after all others. */
export const resourceTools: readonly [list: Tool, read: Tool] = [listResources, readResource];
