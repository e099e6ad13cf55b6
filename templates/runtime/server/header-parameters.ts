import type { McpServer, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { ToolEntry } from "../tools/definition.js";
import { isObject } from "../engine/request-parameters.js";
import { namesOf } from "../tools/tools.js";

/** A tool that repeats an argument in a header, with its schema in the form of the SDK. */
interface HeaderTool {
  readonly tool: ToolEntry;
  readonly inputSchema: StandardSchemaWithJSON;
}

type HeaderTools = ReadonlyMap<unknown, HeaderTool>;

const headerToolsOf = new WeakMap<readonly ToolEntry[], HeaderTools>();

/** The tools that repeat an argument in a header (`x-mcp-header`), by all their names. */
function headerToolsIn(tools: readonly ToolEntry[]): HeaderTools {
  const cached = headerToolsOf.get(tools);
  if (cached !== undefined) return cached;
  const found = tools.filter(({ definition }) => declaresHeader(definition.inputSchema));
  const headerTools = new Map(
    found.flatMap((tool) => {
      const inputSchema = passThroughSchema(tool.definition.inputSchema);
      return namesOf(tool).map((name) => [name, { tool, inputSchema }] as const);
    }),
  );
  headerToolsOf.set(tools, headerTools);
  return headerTools;
}

/** Whether the tool with this name repeats an argument in a request header. */
export function repeatsArguments(tools: readonly ToolEntry[], name: unknown): boolean {
  return headerToolsIn(tools).has(name);
}

/**
 * Makes the SDK compare a tool's arguments with their copies in headers. The SDK compares them only for
 * registered tools, so this function registers the tool that the headers name, unless it is hidden from the caller.
 */
export function compareHeaders(
  mcp: McpServer,
  tools: readonly ToolEntry[],
  headers: Headers,
  isHidden: (tool: ToolEntry) => boolean,
): void {
  const headerTools = headerToolsIn(tools);
  if (headerTools.size === 0) return;
  const name = decodeHeader(headers.get("mcp-name") ?? "");
  const found = headerTools.get(name);
  if (found === undefined || isHidden(found.tool)) return;
  // The SDK never calls this handler: the engine answers tools/call.
  mcp.registerTool(name, { inputSchema: found.inputSchema }, () => ({ content: [] }));
}

/** Whether a schema has `x-mcp-header`. The protocol allows it only on properties, at any depth. */
export function declaresHeader(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (Object.hasOwn(schema, "x-mcp-header")) return true;
  const { properties } = schema;
  return isObject(properties) && Object.values(properties).some(declaresHeader);
}

/** A schema object that gives the SDK the JSON schema but accepts every value: the engine validates. */
function passThroughSchema(schema: Readonly<Record<string, unknown>>): StandardSchemaWithJSON {
  const toJson = (): Record<string, unknown> => schema;
  return {
    "~standard": {
      version: 1,
      vendor: "runtime",
      validate: (value) => ({ value }),
      jsonSchema: { input: toJson, output: toJson },
    },
  };
}

/** Decodes a header value that may be written as `=?base64?…?=`. */
function decodeHeader(value: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value.trim())?.[1];
  return encoded === undefined ? value.trim() : Buffer.from(encoded, "base64").toString("utf8");
}
