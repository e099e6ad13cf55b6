import type { McpServer, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { ToolEntry } from "../tools/definition.js";
import { isObject } from "../engine/request-parameters.js";
import { namesOf } from "../tools/tools.js";

type Schemas = ReadonlyMap<unknown, StandardSchemaWithJSON>;

const schemasOfTools = new WeakMap<readonly ToolEntry[], Schemas>();

/** The schemas of the tools that repeat an argument in a request header (`x-mcp-header`), by their names. */
function schemasOf(tools: readonly ToolEntry[]): Schemas {
  const cached = schemasOfTools.get(tools);
  if (cached !== undefined) return cached;
  const marked = tools.filter(({ definition }) => declaresHeader(definition.inputSchema));
  const schemas = new Map(
    marked.flatMap((tool) => {
      const schema = passThroughSchema(tool.definition.inputSchema);
      return namesOf(tool).map((name) => [name, schema] as const);
    }),
  );
  schemasOfTools.set(tools, schemas);
  return schemas;
}

/** Whether the tool of a name repeats an argument in a request header. */
export function repeatsArguments(tools: readonly ToolEntry[], name: unknown): boolean {
  return schemasOf(tools).has(name);
}

/**
 * Lets the SDK compare the arguments that a tool repeats in headers. The SDK does so only for registered
 * tools, so the tool that the headers name is registered.
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
  // Never called: the engine's own handler answers tools/call.
  mcp.registerTool(name, { inputSchema }, () => ({ content: [] }));
}

/** Whether a schema repeats an argument in a header. The protocol allows that only under `properties`. */
function declaresHeader(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (Object.hasOwn(schema, "x-mcp-header")) return true;
  const { properties } = schema;
  return isObject(properties) && Object.values(properties).some(declaresHeader);
}

/** A schema object that shows the SDK the JSON schema and leaves validation to the engine. */
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

/** A header value, which may be written as `=?base64?…?=`. */
function decodeHeader(value: string): string {
  const encoded = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value.trim())?.[1];
  return encoded === undefined ? value.trim() : Buffer.from(encoded, "base64").toString("utf8");
}
