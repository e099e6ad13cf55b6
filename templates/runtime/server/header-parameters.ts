import type { McpServer, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { ToolEntry } from "../tools/definition.js";
import type { HeaderParameters } from "./server.js";
import { isObject } from "../engine/request-parameters.js";
import { namesOf } from "../tools/tools.js";

/**
 * Tools whose schema repeats an argument in a request header (`x-mcp-header`). The SDK compares the
 * two, but only for tools that it knows: so the tool that a request names is registered, and no
 * other.
 */
class RegisteredHeaderParameters implements HeaderParameters {
  readonly #schemas: ReadonlyMap<unknown, StandardSchemaWithJSON>;

  constructor(tools: readonly ToolEntry[]) {
    const marked = tools.filter(({ definition }) => declaresHeader(definition.inputSchema));
    this.#schemas = new Map(
      marked.flatMap((tool) => {
        const schema = passThroughSchema(tool.definition.inputSchema);
        return namesOf(tool).map((name) => [name, schema] as const);
      }),
    );
  }

  has(name: unknown): boolean {
    return this.#schemas.has(name);
  }

  /** Registers the tool under the name that the headers have, if it has header parameters. */
  register(server: McpServer, headers: Headers | undefined): void {
    if (this.#schemas.size === 0) return;
    const name = decodeHeader(headers?.get("mcp-name") ?? "");
    const inputSchema = this.#schemas.get(name);
    if (inputSchema === undefined) return;
    // Never called: the engine's own handler answers tools/call.
    server.registerTool(name, { inputSchema }, () => ({ content: [] }));
  }
}

/** Has the SDK compare the arguments that tools repeat in headers. */
export function createHeaderParameters(tools: readonly ToolEntry[]): HeaderParameters {
  return new RegisteredHeaderParameters(tools);
}

/**
 * Whether a schema repeats an argument in a header. That is found through `properties` only; the
 * protocol allows it nowhere else.
 */
export function declaresHeader(schema: unknown): boolean {
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
