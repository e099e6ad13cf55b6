import type { McpServer, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { ToolEntry } from "../tools/definition.js";
import { isObject } from "../engine/request-parameters.js";
import { namesOf } from "../tools/tools.js";

type Schemas = ReadonlyMap<unknown, StandardSchemaWithJSON>;

const schemasOfTools = new WeakMap<readonly ToolEntry[], Schemas>();

/** Tool names with the input schemas of tools that repeat an argument in a header (`x-mcp-header`). */
function schemasOf(tools: readonly ToolEntry[]): Schemas {
  const cached = schemasOfTools.get(tools);
  if (cached !== undefined) return cached;
  const headerTools = tools.filter(({ definition }) => declaresHeader(definition.inputSchema));
  const schemas = new Map(
    headerTools.flatMap((tool) => {
      const schema = passThroughSchema(tool.definition.inputSchema);
      return namesOf(tool).map((name) => [name, schema] as const);
    }),
  );
  schemasOfTools.set(tools, schemas);
  return schemas;
}

/** Whether the tool with this name repeats an argument in a request header. */
export function repeatsArguments(tools: readonly ToolEntry[], name: unknown): boolean {
  return schemasOf(tools).has(name);
}

/**
 * Makes the SDK compare a tool's arguments with their copies in headers. The SDK compares them only for
 * registered tools, so this function registers the tool that the headers name.
 */
export function compareHeaders(
  mcp: McpServer,
  tools: readonly ToolEntry[],
  headers: Headers,
): void {
  const schemas = schemasOf(tools);
  if (schemas.size === 0) return;
  const name = decodeHeader(headers.get("mcp-name") ?? "");
  const inputSchema = schemas.get(name);
  if (inputSchema === undefined) return;
  // The SDK never calls this handler: the engine answers tools/call.
  mcp.registerTool(name, { inputSchema }, () => ({ content: [] }));
}

/** Whether a schema has `x-mcp-header`. The protocol allows it only on properties, at any depth. */
function declaresHeader(schema: unknown): boolean {
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
