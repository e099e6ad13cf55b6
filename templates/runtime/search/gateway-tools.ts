import type { Tool } from "@modelcontextprotocol/server";

/** The tools through which clients find and call tools that are not listed. */
export type GatewayTool = "search_tools" | "read_tool" | "call_tool";

/** The default and the maximum number of tools that a search returns. */
export const USUAL_RESULTS = 5;
export const MOST_RESULTS = 20;

/** Longest query, in UTF-16 code units. */
export const LONGEST_QUERY = 1_000;

const searchTools: Tool = {
  name: "search_tools",
  title: "Find tools",
  description:
    "Finds tools of this server that are not in its list. Say in a few words what you want to do, with a verb and the thing that it is about, such as `close an issue` or `list overdue invoices`; the exact name of a tool finds that tool. The answer has the best matches first. Each has its `name`, its `description`, the JSON Schema of its arguments as `inputSchema`, and in `callWith` the tool that runs it: `read_tool` if it changes nothing, else `call_tool`. Where nothing fits, search again with other words for the same thing.",
  inputSchema: {
    type: "object",
    properties: {
      query: {
        type: "string",
        description: "What you want to do, in a few words, or the exact name of a tool.",
        minLength: 1,
        maxLength: LONGEST_QUERY,
      },
      limit: {
        type: "integer",
        description: "How many tools to find at most.",
        minimum: 1,
        maximum: MOST_RESULTS,
        default: USUAL_RESULTS,
      },
    },
    required: ["query"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: {
      tools: {
        type: "array",
        description: "What was found, the best match first.",
        items: {
          type: "object",
          properties: {
            name: { type: "string" },
            title: { type: "string" },
            description: { type: "string" },
            inputSchema: { type: "object", description: "The JSON Schema of its arguments." },
            annotations: { type: "object" },
            callWith: { type: "string", enum: ["read_tool", "call_tool"] },
          },
          required: ["name", "description", "inputSchema", "callWith"],
        },
      },
    },
    required: ["tools"],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

const callSchema = {
  type: "object" as const,
  properties: {
    name: { type: "string", description: "The name of the tool, as `search_tools` gave it." },
    arguments: {
      type: "object",
      description: "Its arguments; they must fit the `inputSchema` that `search_tools` gave.",
    },
  },
  required: ["name"],
  additionalProperties: false,
};

const readTool: Tool = {
  name: "read_tool",
  title: "Run a tool that only reads",
  description:
    "Runs a tool that `search_tools` has found with `callWith: read_tool`: one that changes nothing. Give its name, and arguments that fit its `inputSchema`; the answer is the tool's own.",
  inputSchema: callSchema,
  annotations: { readOnlyHint: true },
};

const callTool: Tool = {
  name: "call_tool",
  title: "Run a tool that may change something",
  description:
    "Runs a tool that `search_tools` has found with `callWith: call_tool`: one that may create, change or delete something. Give its name, and arguments that fit its `inputSchema`; the answer is the tool's own.",
  inputSchema: callSchema,
  annotations: { readOnlyHint: false, destructiveHint: true },
};

/** The three tools, in the order in which they are listed. All other tools follow them. */
export const gatewayTools: readonly Tool[] = [searchTools, readTool, callTool];
