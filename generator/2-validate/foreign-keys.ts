import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { flowYaml } from "../text/flow-yaml.js";
import { fullForm, listOf } from "./full-forms.js";
import { hasProperty, resolveNode, type SchemaNode } from "./manifest-schema.js";
import { withoutSigns } from "./nearest-key.js";

/** What a key of another format, or of another kind of mapping, is in a manifest. */
export interface ForeignKey {
  /** What to write instead. */
  readonly advice: string;
  /** Keys of the same mapping whose problems this key explains. */
  readonly explains?: readonly string[];
}

type Reading = (
  value: JsonValue,
  mapping: JsonObject,
  node: SchemaNode,
) => ForeignKey | string | undefined;

/** Keys by the titles of the mappings where they stand, in lower case and without signs. */
const FOREIGN_KEYS: Readonly<Record<string, Readonly<Record<string, Reading>>>> = {
  tool: {
    ...sameFor(["args", "input", "inputs", "parameters", "params"], argumentsOfTool),
    arguments: (value) =>
      argumentsOfTool(value) ??
      (isSchema(value) ? 'the arguments of a tool stand under "inputSchema"' : undefined),
    function: (value) =>
      isJsonObject(value)
        ? {
            advice:
              'write beside each other what stands under "function", with its parameters as inputSchema',
            explains: ["type", "name", "description"],
          }
        : undefined,
    text: (value) =>
      typeof value === "string"
        ? `write content: [${flowYaml({ type: "text", text: value })}]`
        : undefined,
  },
  prompt: {
    ...sameFor(["inputschema", "input", "inputs", "parameters", "params"], argumentsOfPrompt),
    ...sameFor(["body", "content", "prompt", "template", "text"], (value) => {
      if (typeof value !== "string") return undefined;
      const message = { role: "user", content: { type: "text", text: value } };
      return `write messages: [${flowYaml(message)}]`;
    }),
  },
  "prompt argument": {
    type: () => "the arguments of a prompt are texts: leave it out",
    ...sameFor(["choices", "enum", "options", "values"], (value) =>
      isList(value) ? `write complete: ${flowYaml(value.map(String))}` : undefined,
    ),
    default: (_, { name }) =>
      typeof name === "string"
        ? `write it into the message: {{^${name}}}…{{/${name}}} stands where the argument is not given`
        : undefined,
  },
  "environment variable": {
    value: () => "its value is set where the server runs; default is for what is no secret",
  },
  "resource template": {
    ...sameFor(
      ["blob", "content", "contents", "text"],
      () => "what clients read comes from http, sql, directory or mcp, or from a handler",
    ),
  },
  "http body": {
    ...sameFor(["baseurl", "uri", "url"], (value, mapping, node) => {
      if (Object.hasOwn(mapping, "upstream")) return undefined;
      const form = fullForm(node, value, []);
      return form === undefined
        ? undefined
        : { advice: `write ${form}`, explains: ["upstream", "path"] };
    }),
    ...sameFor(
      ["apikey", "authorization", "bearer", "token"],
      () => 'credentials stand under "auth" of the upstream, under "upstreams"',
    ),
  },
  "upstream's auth": {
    ...sameFor(["oauth", "oauth2"], () => ({
      advice: "write clientCredentials: {tokenUrl, clientId, clientSecret}",
      explains: ["clientCredentials"],
    })),
    token: () => ({ advice: "write bearer: { env: NAME }", explains: ["bearer"] }),
    apikey: () => ({
      advice: "write header: {name, value}, query: {name, value} or cookie: {name, value}",
      explains: ["header"],
    }),
  },
  "exec body": sameFor(["args", "arguments"], argumentsOfProgram),
  "MCP server": sameFor(["args", "arguments"], argumentsOfProgram),
  "sql body": sameFor(
    ["arguments", "args", "bind", "parameters", "params", "values"],
    () => "`:city` in the statement is the argument `city`: leave it out",
  ),
};

/** What an unknown key is in another format, or in another kind of mapping. */
export function foreignKey(
  key: string,
  node: SchemaNode,
  mapping: JsonObject,
): ForeignKey | undefined {
  const readings = FOREIGN_KEYS[node.title ?? ""] ?? {};
  const letters = withoutSigns(key);
  const read = Object.hasOwn(readings, letters) ? readings[letters] : undefined;
  const found = read?.(mapping[key] ?? null, mapping, node);
  if (found !== undefined) return typeof found === "string" ? { advice: found } : found;
  const isOfUpstream = node.title === "http body" && hasProperty(upstreamNode(), key);
  return isOfUpstream ? { advice: 'it belongs to the upstream, under "upstreams"' } : undefined;
}

function upstreamNode(): SchemaNode {
  return resolveNode({ $ref: "#/$defs/upstream" });
}

function sameFor(keys: readonly string[], reading: Reading): Record<string, Reading> {
  return Object.fromEntries(keys.map((key) => [key, reading]));
}

const TYPES: ReadonlySet<JsonValue | undefined> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
]);

const isSchema = (value: JsonValue): boolean =>
  isJsonObject(value) && (Object.hasOwn(value, "properties") || value["type"] === "object");

/** The arguments of a tool as a list of mappings with names, as prompts have them, or as mappings by their names. */
function argumentsOfTool(value: JsonValue): string | undefined {
  const items = (isSchema(value) ? [] : itemsIn(value)).slice(0, 3);
  const named = items.flatMap(({ name, type, required }) =>
    typeof name === "string"
      ? [{ name, type: TYPES.has(type) ? (type ?? "string") : "string", required }]
      : [],
  );
  if (named.length === 0) return undefined;
  const required = named.filter((item) => item.required === true).map(({ name }) => name);
  return `write inputSchema: ${flowYaml({
    type: "object",
    properties: Object.fromEntries(named.map(({ name, type }) => [name, { type }])),
    ...(required.length > 0 && { required }),
  })}`;
}

function itemsIn(value: JsonValue): JsonObject[] {
  if (isList(value)) return value.filter(isJsonObject);
  if (!isJsonObject(value)) return [];
  const entries = Object.entries(value);
  return entries.flatMap(([name, item]) =>
    isJsonObject(item) && typeof item["type"] === "string" ? [{ ...item, name }] : [],
  );
}

/** The arguments of a prompt as a JSON Schema, as tools have them. */
function argumentsOfPrompt(value: JsonValue): string | undefined {
  const properties = isJsonObject(value) ? value["properties"] : undefined;
  const names = isJsonObject(properties) ? Object.keys(properties).slice(0, 3) : [];
  if (names.length === 0) return undefined;
  return `the arguments of a prompt are texts: write arguments: ${flowYaml(names.map((name) => ({ name })))}`;
}

/** The arguments of a program beside its name. */
function argumentsOfProgram(value: JsonValue, { command }: JsonObject): ForeignKey | undefined {
  const given = typeof value === "string" ? listOf("command", value) : value;
  if (!isList(given) || given.some((item) => typeof item === "object")) return undefined;
  const program = typeof command === "string" ? listOf("command", command) : command;
  const whole = [...(isList(program) ? program : ["…"]), ...given.map(String)];
  return { advice: `write command: ${flowYaml(whole)}`, explains: ["command"] };
}

const isList = (value: JsonValue | undefined): value is JsonValue[] => Array.isArray(value);
