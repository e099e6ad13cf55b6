import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { ManifestPath } from "../model/loaded-manifest.js";
import { excerpt } from "../text/excerpt.js";
import { nearestName } from "../text/nearest-name.js";
import { resolveNode, typesOf, type SchemaNode } from "./manifest-schema.js";
import { nearestKey } from "./nearest-key.js";
import { quoted } from "../text/value-words.js";

/** Words that YAML 1.1 reads as true and false. Manifests are YAML 1.2, which reads most of them as texts. */
const BOOLEAN_WORDS: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, on: true, y: true },
  ...{ false: false, no: false, off: false, n: false },
};

/** Names that other formats use for values of a manifest's keys. */
const OTHER_VALUES: Readonly<Record<string, string>> = {
  bool: "boolean",
  float: "number",
  int: "number",
  integer: "number",
  str: "string",
  streamablehttp: "http",
  uri: "url",
  ws: "websocket",
};

/** The value of an enumeration that the author most likely meant. */
export function nearestValue(found: string, values: readonly string[]): string | undefined {
  const word = found.toLowerCase().replace(/[^a-z]/g, "");
  const synonym = Object.hasOwn(OTHER_VALUES, word) ? OTHER_VALUES[word] : undefined;
  return synonym !== undefined && values.includes(synonym) ? synonym : nearestName(found, values);
}

/**
 * What to write instead of a value of the wrong type.
 *
 * @param source the value's text in the file
 */
export function adviceForType(
  node: SchemaNode,
  value: JsonValue,
  path: ManifestPath,
  source: string,
): string | undefined {
  if (path.length === 1 && path[0] === "auth") return AUTHENTICATION_ADVICE;
  const types = acceptedTypes(node);
  if (types.has("string") && typeof value !== "object") return `put it in quotes: "${source}"`;
  if (typeof value === "string") return adviceForText(node, types, value, path);
  if (types.has("array") && isJsonObject(value)) return adviceForMapping(node, value);
  if (!types.has("object") || !Array.isArray(value)) return undefined;
  const [first] = value;
  if (types.has("string")) return undefined;
  return typeof first === "string" ? adviceForNames(node, first) : undefined;
}

/** Advice for a list of names in place of a mapping with these names as keys. */
function adviceForNames(node: SchemaNode, first: string): string {
  const { properties = {} } = node;
  const key = nearestKey(first, Object.keys(properties));
  const property = key === undefined ? undefined : properties[key];
  const isFlag = property !== undefined && acceptedTypes(resolveNode(property)).has("boolean");
  return `write each as a key: "${isFlag ? `${key}: true` : `${excerpt(first)}: {}`}"`;
}

function adviceForText(
  node: SchemaNode,
  types: ReadonlySet<string>,
  text: string,
  path: ManifestPath,
): string | undefined {
  if (types.has("boolean") && Object.hasOwn(BOOLEAN_WORDS, text.toLowerCase())) {
    return `write ${BOOLEAN_WORDS[text.toLowerCase()]}, without quotes`;
  }
  if (types.has("integer") && /^[0-9]+$/.test(text)) return `write it without quotes: ${text}`;
  if (types.has("integer")) return adviceForQuantity(text, path);
  if (types.has("array")) return adviceForList(node, text, path);
  return types.has("object") ? adviceForItem(node, text, path) : undefined;
}

/** Advice for a text in place of a list, which may have the text as its only item. */
function adviceForList(node: SchemaNode, text: string, path: ManifestPath): string {
  const key = String(path.at(-1));
  const item = node.items && resolveNode(node.items);
  const isText = item === undefined || acceptedTypes(item).has("string");
  const advice = isText ? undefined : adviceForItem(item, text, [...path, 0]);
  const list = `write [${advice?.replace(/^write /, "") ?? excerpt(text)}]`;
  const mayBeCode = key === "complete" || path.at(-2) === "complete";
  return mayBeCode ? `${list}, or code for values that a function of yours finds` : list;
}

/** Writes a text as a message or as a content block, if the key takes these. */
function wrappedText(key: string, text: string): string | undefined {
  const shown = excerpt(text);
  const needsQuotes = !/^[A-Za-z][\w .!?-]*$/.test(shown);
  const block = `{type: text, text: ${needsQuotes ? JSON.stringify(shown) : shown}}`;
  if (key === "messages") return `{role: user, content: ${block}}`;
  return key === "content" ? block : undefined;
}

const MILLISECONDS = new Map([
  ...(["ms", "msec", "milliseconds"] as const).map((unit) => [unit, 1] as const),
  ...(["s", "sec", "seconds"] as const).map((unit) => [unit, 1_000] as const),
  ...(["m", "min", "minutes"] as const).map((unit) => [unit, 60_000] as const),
  ...(["h", "hours"] as const).map((unit) => [unit, 3_600_000] as const),
]) as ReadonlyMap<string, number>;

const BYTES: ReadonlyMap<string, number> = new Map([
  ["b", 1],
  ["k", 1_000],
  ["kb", 1_000],
  ["kib", 1_024],
  ["m", 1_000_000],
  ["mb", 1_000_000],
  ["mib", 1_048_576],
]);

/** Advice for a number with a unit under a key whose name ends with a unit. */
function adviceForQuantity(text: string, path: ManifestPath): string | undefined {
  const [, count, unit = ""] = /^([0-9]+) ?([A-Za-z]+)$/.exec(text) ?? [];
  const [, measure] = /(Ms|Bytes)$/.exec(String(path.at(-1))) ?? [];
  const factor = (measure === "Ms" ? MILLISECONDS : BYTES).get(unit.toLowerCase());
  if (measure === undefined || factor === undefined) return undefined;
  const name = measure === "Ms" ? "milliseconds" : "bytes";
  return `write ${name}, without a unit: ${Number(count) * factor}`;
}

/** Advice for a text in place of an item, which may have the text as its name, type or content. */
function adviceForItem(node: SchemaNode, text: string, path: ManifestPath): string | undefined {
  const last = path.at(-1);
  const wrapped = wrappedText(String(typeof last === "number" ? path.at(-2) : last), text);
  if (wrapped !== undefined) return `write ${wrapped}`;
  if (path.length === 2 && path[0] === "env") {
    return "its value is set where the server runs; write {required: true}, or {default: …} for what is no secret";
  }
  const [key, another] = node.required ?? [];
  if (key === undefined || another !== undefined) return undefined;
  const branches = (node.oneOf ?? []).map((branch) => resolveNode(branch).properties?.[key]?.const);
  if (branches.length === 0) return `write {${key}: ${excerpt(text)}}`;
  const meant = nearestValue(
    text,
    branches.filter((constant) => typeof constant === "string"),
  );
  return meant && `write {${key}: ${meant}}`;
}

/** Advice for a mapping by name in place of a list of items with names. */
function adviceForMapping(node: SchemaNode, mapping: object): string | undefined {
  const key = node.items && resolveNode(node.items).required?.[0];
  const [first] = Object.keys(mapping);
  if (key === undefined || first === undefined) return undefined;
  return `write a list, each item with its ${key}: "- ${key}: ${excerpt(first)}"`;
}

function acceptedTypes(node: SchemaNode): Set<string> {
  const types = typesOf(node);
  if (types.length > 0) return new Set(types);
  return new Set((node.oneOf ?? []).flatMap((branch) => [...acceptedTypes(resolveNode(branch))]));
}

/** Keys that only other kinds of documents have at their root, with advice. */
const OTHER_DOCUMENTS: Readonly<Record<string, string>> = {
  mcpServers: "this is the configuration of a client; `mcpwright init` writes a manifest",
  openapi: "this is an OpenAPI document; `mcpwright init` writes a manifest",
  swagger: "this is an OpenAPI document; `mcpwright init` writes a manifest",
};

/** The key that shows that a file is another kind of document. Its other keys are then not reported. */
export function keyOfOtherDocument(root: JsonObject): string | undefined {
  if (Object.hasOwn(root, "name") || Object.hasOwn(root, "tools")) return undefined;
  return Object.keys(root).find((key) => Object.hasOwn(OTHER_DOCUMENTS, key));
}

const AUTHENTICATION_ADVICE =
  '`authenticate` in src/context.ts finds out who calls where "auth" of the manifest does not, and "scopes" of an item says what they need';

/** Keys of other formats, with advice on what manifests have instead. */
const OTHER_KEYS: Readonly<Record<string, string>> = {
  ...OTHER_DOCUMENTS,
  auth: AUTHENTICATION_ADVICE,
  authenticate: AUTHENTICATION_ADVICE,
  authentication: AUTHENTICATION_ADVICE,
  authorization: AUTHENTICATION_ADVICE,
  bearer: AUTHENTICATION_ADVICE,
  oauth: AUTHENTICATION_ADVICE,
  oauth2: AUTHENTICATION_ADVICE,
  security: AUTHENTICATION_ADVICE,
  command: "how clients start a server stands in their own configuration; the README has it",
  handler: "a handler is found by the item's name: `generate` makes its file",
};

/** Keys that other formats use for the credentials of an upstream, with advice. */
const UPSTREAM_KEYS: Readonly<Record<string, string>> = {
  oauth: "write clientCredentials: {tokenUrl, clientId, clientSecret}",
  oauth2: "write clientCredentials: {tokenUrl, clientId, clientSecret}",
  token: "write bearer: { env: NAME }",
  apiKey: "write header: {name, value}, query: {name, value} or cookie: {name, value}",
};

/** What to write instead of a key that only other formats have. */
export function adviceForOtherKey(key: string, path: ManifestPath): string | undefined {
  if (path[0] === "upstreams") return path.at(-2) === "auth" ? UPSTREAM_KEYS[key] : undefined;
  return Object.hasOwn(OTHER_KEYS, key) ? OTHER_KEYS[key] : undefined;
}

/** What to write instead of a value that a key does not take. */
export function adviceForValue(value: JsonValue, path: ManifestPath): string | undefined {
  if (path.at(-1) === "sessions" && value === true) return "write sessions: memory";
  const isQuestion = typeof value === "string" && value.startsWith("elicit");
  return isQuestion && path.at(-2) === "uses"
    ? 'questions to the user stand under "elicitations" alone'
    : undefined;
}

/** The features of clients that an item can name under `uses`. */
const CLIENT_FEATURES: ReadonlySet<string> = new Set(["sampling", "roots"]);

/** Says where an unknown key belongs, or what to write instead. */
export function adviceForKey(
  key: string,
  node: SchemaNode,
  mapping: JsonObject,
): string | undefined {
  if (key.startsWith("//")) return "comments start with #, also in JSON";
  if (CLIENT_FEATURES.has(key) && hasProperty(node, "uses")) return `write uses: [${key}]`;
  if (key === "uriTemplate" && hasProperty(node, "uri")) {
    return 'an item with a uriTemplate stands under "resourceTemplates"';
  }
  const homes = Object.entries(node.properties ?? {});
  const possible = homes.filter(([, property]) => hasProperty(resolveNode(property), key));
  const empty = possible.find(([name]) => mapping[name] === null);
  if (empty !== undefined) return `indent it: it belongs under ${quoted(empty[0])}, which is empty`;
  const [home] = possible;
  if (home !== undefined) return `it belongs under ${quoted(home[0])}`;
  const list = homes.find(([, property]) => {
    const { items } = resolveNode(property);
    return items !== undefined && alternativesOf(items).some((item) => hasProperty(item, key));
  });
  return list && `it belongs into an item of ${quoted(list[0])}`;
}

const hasProperty = ({ properties = {} }: SchemaNode, key: string): boolean =>
  Object.hasOwn(properties, key);

function alternativesOf(node: SchemaNode): SchemaNode[] {
  const resolved = resolveNode(node);
  return [resolved, ...(resolved.oneOf ?? []).map(resolveNode)];
}

/** Advice for an item whose only key is its name, with everything else under it: `- get_forecast: {…}`. */
export function adviceForNamedItem(
  key: string,
  node: SchemaNode,
  mapping: JsonObject,
): string | undefined {
  const [name, another] = Object.keys(mapping);
  const isFirst = node.required?.[0] === key;
  if (!isFirst || name === undefined || another !== undefined) return undefined;
  if (hasProperty(node, name) || !isJsonObject(mapping[name])) return undefined;
  return `write "${key}: ${excerpt(name)}", and beside it what stands under it`;
}
