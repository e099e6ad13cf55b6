import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { flowYaml } from "../text/flow-yaml.js";
import { quoted } from "../text/value-words.js";
import {
  accepts,
  hasProperty,
  manifestSchema,
  resolveNode,
  type SchemaNode,
} from "./manifest-schema.js";

const CLIENT_SETTINGS =
  "this is the configuration of a client; `mcpwright init` writes a manifest, `mcpwright import server` one of a server";

const OPENAPI_DOCUMENT =
  "this is an OpenAPI document; `mcpwright import openapi` makes a manifest of it";

/** Keys that only other kinds of documents have at their root, with advice. */
const OTHER_DOCUMENTS: Readonly<Record<string, string>> = {
  // Claude Desktop, Cursor and others
  mcpServers: CLIENT_SETTINGS,
  // `.vscode/mcp.json`
  servers: CLIENT_SETTINGS,
  openapi: OPENAPI_DOCUMENT,
  swagger: OPENAPI_DOCUMENT,
};

/** True if a key at the root shows that a file is another kind of document. */
function isOfOtherDocument(key: string, value: JsonValue | undefined): boolean {
  return Object.hasOwn(OTHER_DOCUMENTS, key) && (key !== "servers" || isJsonObject(value));
}

/** The key that shows that a file is another kind of document. Its other keys are then not reported. */
export function keyOfOtherDocument(root: JsonObject): string | undefined {
  if (Object.hasOwn(root, "name") || Object.hasOwn(root, "tools")) return undefined;
  return Object.keys(root).find((key) => isOfOtherDocument(key, root[key]));
}

/** What to write instead of an unknown key. */
export interface KeyAdvice {
  readonly advice: string;
  /** Keys of the same mapping, absent or not, whose problems the unknown key explains. */
  readonly explains: readonly string[];
}

/** Says where an unknown key belongs, or what to write instead. */
export function adviceForKey(
  key: string,
  node: SchemaNode,
  mapping: JsonObject,
): KeyAdvice | undefined {
  const explaining =
    adviceForPart(key, node, mapping) ??
    adviceForCredentialType(key, node, mapping) ??
    adviceForAddress(key, node, mapping) ??
    adviceForArguments(key, node, mapping);
  if (explaining !== undefined) return explaining;
  const advice = adviceForPlace(key, node, mapping);
  return advice === undefined ? undefined : { advice, explains: [] };
}

/** The same of a key that explains no problem of other keys. */
function adviceForPlace(key: string, node: SchemaNode, mapping: JsonObject): string | undefined {
  if (node === manifestSchema() && isOfOtherDocument(key, mapping[key]))
    return OTHER_DOCUMENTS[key];
  // `package.json` has comments under the key "//".
  if (key.startsWith("//")) return "comments start with #, also in JSON";
  // modelcontextprotocol/java-sdk#319, platformatic/mcp#130: lists of both kinds together
  if (key === "uriTemplate" && hasProperty(node, "uri")) {
    return 'an item with a uriTemplate stands under "resourceTemplates"';
  }
  // A trial of coding agents: the folder was one resource.
  if (key === "directory" && hasProperty(node, "uri")) {
    return 'a folder stands under "resourceTemplates", with a uriTemplate such as docs:///{+path}';
  }
  // Drivers of databases have the values beside the statement.
  if ((key === "params" || key === "values") && hasProperty(node, "maxRows")) {
    return "leave it out: :name in the statement is the argument of that name";
  }
  // Functions in serverless.yml have this key. Of the mappings here, those with icons and a description are items.
  if (key === "handler" && hasProperty(node, "description") && hasProperty(node, "icons")) {
    return "leave it out: without a body, `generate` starts a handler under src/ for you to write";
  }
  return (
    adviceForHome(key, node, mapping) ??
    adviceForUpstream(key, node) ??
    adviceForText(key, node) ??
    adviceForSection(key, node, mapping)
  );
}

/** Says that a key of a request belongs to its upstream. In a trial of coding agents, `auth` stood in `http`. */
function adviceForUpstream(key: string, node: SchemaNode): string | undefined {
  if (!hasProperty(node, "upstream")) return undefined;
  const upstreams = resolveNode(manifestSchema().properties?.["upstreams"] ?? {});
  const upstream = upstreams.additionalProperties;
  return typeof upstream === "object" && hasProperty(resolveNode(upstream), key)
    ? 'it belongs to the upstream, which stands under "upstreams"'
    : undefined;
}

/** Says that arguments of prompts have no types, as those of tools have. In a trial of coding agents, they had. */
function adviceForText(key: string, node: SchemaNode): string | undefined {
  const isOfPromptArgument = hasProperty(node, "complete") && hasProperty(node, "required");
  return key === "type" && isOfPromptArgument
    ? "leave it out: the arguments of a prompt are texts"
    : undefined;
}

/**
 * Writes the absent key of which an unknown one is a value, or of whose mapping it is a part: `sqlite: …` for `type: sqlite`,
 * and `text: …` for `content: {type: text, text: …}`. Both were seen in a trial of coding agents.
 */
function adviceForPart(key: string, node: SchemaNode, mapping: JsonObject): KeyAdvice | undefined {
  for (const name of node.required ?? []) {
    const property = node.properties?.[name];
    if (property === undefined || Object.hasOwn(mapping, name)) continue;
    const value = resolveNode(property);
    if (value.enum?.includes(key) === true)
      return { advice: `write ${name}: ${key}, and beside it what it needs`, explains: [name] };
    const form = (value.oneOf ?? []).map(resolveNode).find(({ required = [], properties = {} }) => {
      const [constant, other, more] = required;
      const isPair = constant !== undefined && other === key && more === undefined;
      return isPair && properties[constant]?.const === key;
    });
    const constant = form?.required?.[0];
    if (constant !== undefined)
      return { advice: `write ${name}: {${constant}: ${key}, ${key}: …}`, explains: [name] };
  }
  return undefined;
}

/** What other formats say under `type` of credentials, with the key that has them here and its value. */
const CREDENTIAL_TYPES: readonly (readonly [RegExp, string, string])[] = [
  [/^(?:http)?bearer$|^token$/, "bearer", "{ env: NAME }"],
  [/^basic$/, "basic", "{ username: { env: NAME }, password: { env: NAME } }"],
  [
    /^oauth2?$|^clientcredentials$/,
    "clientCredentials",
    "{ tokenUrl: …, clientId: { env: NAME }, clientSecret: { env: NAME } }",
  ],
];

/** Advice for credentials as OpenAPI's security schemes have them: `{ type: apiKey, in: header, … }`. */
function adviceForCredentialType(
  unknownKey: string,
  node: SchemaNode,
  mapping: JsonObject,
): KeyAdvice | undefined {
  const { type, scheme, in: place = "header", name } = mapping;
  if (unknownKey !== "type" || typeof type !== "string" || !hasProperty(node, "bearer"))
    return undefined;
  const word = type === "http" && typeof scheme === "string" ? scheme : type;
  const letters = word.toLowerCase().replace(/[^a-z0-9]/g, "");
  if (letters === "apikey" || letters === "header") {
    const isPlace = typeof place === "string" && ["header", "query", "cookie"].includes(place);
    if (!isPlace || !hasProperty(node, place)) return undefined;
    const shown = typeof name === "string" ? flowYaml(name) : NAMES_OF_KEYS[place];
    const advice = `write ${place}: { name: ${shown ?? "…"}, value: { env: NAME } }`;
    return { advice, explains: [] };
  }
  const [, key, form] = CREDENTIAL_TYPES.find(([pattern]) => pattern.test(letters)) ?? [];
  if (key === undefined || !hasProperty(node, key)) return undefined;
  return { advice: `write ${key}: ${form}`, explains: [] };
}

/** The names that are shown where credentials have none. */
const NAMES_OF_KEYS: Readonly<Record<string, string>> = { header: "X-API-Key" };

/**
 * Says how an `http` body names its address, where a whole URL stands in it, as requests of HTTP clients have it. In a trial,
 * this was three errors, of which none said what an upstream is.
 */
function adviceForAddress(
  key: string,
  node: SchemaNode,
  mapping: JsonObject,
): KeyAdvice | undefined {
  const url = mapping[key];
  const isOfRequest = hasProperty(node, "upstream") && hasProperty(node, "path");
  if (key !== "url" || !isOfRequest || typeof url !== "string") return undefined;
  const [, base, path, query] = /^(https?:\/\/[^/?#]+)([^?#]*)(\?[^#])?/.exec(url) ?? [];
  if (base === undefined || Object.hasOwn(mapping, "upstream")) return undefined;
  const upstreams = `upstreams: {api: {baseUrl: ${flowYaml(base)}}}`;
  const more = query === undefined ? "" : ", query: …";
  const here = `{upstream: api, path: ${flowYaml(path || "/")}${more}}`;
  const advice = `write ${upstreams} at the top level, and here ${here}`;
  return { advice, explains: node.required ?? [] };
}

/**
 * Writes the command line of a mapping that has the arguments of its program under a key of their own, as settings of MCP
 * clients and Compose files do.
 */
function adviceForArguments(
  key: string,
  node: SchemaNode,
  { cmd, command = cmd ?? "PROGRAM", args }: JsonObject,
): KeyAdvice | undefined {
  if (key !== "args" || !hasProperty(node, "command") || !Array.isArray(args)) return undefined;
  const program = typeof command === "string" ? command.split(/ +/) : command;
  const words = Array.isArray(program) ? [...program, ...args] : [];
  const isCertain =
    words.length > 0 && words.every((word) => word !== null && typeof word !== "object");
  const where = isCertain
    ? `: command: ${flowYaml(words.map(String))}`
    : ", in the list of `command`";
  return { advice: `the arguments follow the program${where}`, explains: ["command"] };
}

/** Says that a key is a section of the whole manifest. In trials, `auth` and `page` stood in the transport `http`. */
function adviceForSection(key: string, node: SchemaNode, mapping: JsonObject): string | undefined {
  const [root, value] = [manifestSchema(), mapping[key]];
  const section = hasProperty(root, key) ? root.properties?.[key] : undefined;
  const isValue = value === true || (typeof value === "object" && value !== null);
  const isSection = section !== undefined && isValue;
  if (node === root || !isSection || !accepts(resolveNode(section), value)) return undefined;
  // Another service has an `auth` of its own, in its upstream.
  const isOfService = ["upstream", "url"].some((name) => hasProperty(node, name));
  if (key === "auth" && isOfService) return undefined;
  return 'it stands at the top level of the manifest, as "name" does';
}

/** The most keys that are named as those under which another belongs, where none of them is there. */
const MOST_HOMES = 2;

/** Whether mappings of a node have this key, with this value. */
function takes(node: SchemaNode, key: string, value: JsonValue): boolean {
  const child = hasProperty(node, key) ? node.properties?.[key] : undefined;
  return child !== undefined && accepts(resolveNode(child), value);
}

/** Names the keys of a mapping under which another of its keys belongs: those that are there, or the only ones. */
function adviceForHome(key: string, node: SchemaNode, mapping: JsonObject): string | undefined {
  const value = mapping[key] ?? null;
  const children = Object.entries(node.properties ?? {});
  const homes = children.flatMap(([name, property]) =>
    takes(resolveNode(property), key, value) ? [name] : [],
  );
  const empty = homes.find((name) => mapping[name] === null);
  if (empty !== undefined) return `indent it: it belongs under ${quoted(empty)}, which is empty`;
  const present = homes.filter((name) => Object.hasOwn(mapping, name));
  const possible = present.length > 0 || homes.length > MOST_HOMES ? present : homes;
  if (possible.length > 0) return `it belongs under ${possible.map(quoted).join(" or ")}`;
  // A trial, which had the questions of a tool at the top of the manifest.
  const lists = children.flatMap(([name, { items }]) => {
    const hasItem = Object.hasOwn(mapping, name) && items !== undefined;
    return hasItem && takes(resolveNode(items), key, value) ? [name] : [];
  });
  const [last, ...others] = lists.map(quoted).reverse();
  if (last === undefined) return undefined;
  const all = others.length > 0 ? `${others.reverse().join(", ")} or ${last}` : last;
  return `it belongs to an item of ${all}`;
}
