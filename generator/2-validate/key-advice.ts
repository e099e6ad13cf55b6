import { isJsonObject, type JsonObject } from "../model/json.js";
import type { ManifestPath } from "../model/loaded-manifest.js";
import { excerpt } from "../text/excerpt.js";
import { quoted } from "../text/value-words.js";
import { alternativesOf, hasProperty, resolveNode, type SchemaNode } from "./manifest-schema.js";

/** What to do instead of a setting for authentication that manifests do not have. */
export const AUTHENTICATION_ADVICE =
  '`authenticate` in src/context.ts finds out who calls where "auth" of the manifest does not, and "scopes" of an item says what they need';

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
