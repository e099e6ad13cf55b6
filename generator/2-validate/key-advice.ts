import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { ManifestPath } from "../model/loaded-manifest.js";
import { excerpt } from "../text/excerpt.js";
import { quoted } from "../text/value-words.js";
import {
  accepts,
  alternativesOf,
  hasProperty,
  manifestSchema,
  resolveNode,
  type SchemaNode,
} from "./manifest-schema.js";

/** What to do instead of a setting for authentication that manifests do not have. */
export const AUTHENTICATION_ADVICE =
  '`authenticate` in src/context.ts finds out who calls where "auth" of the manifest does not, and "scopes" of an item says what they need';

const CLIENT_SETTINGS =
  "this is the configuration of a client; `mcpwright init` writes a manifest, `mcpwright import server` one of a server";

const OPENAPI_DOCUMENT =
  "this is an OpenAPI document; `mcpwright import openapi` makes a manifest of it";

/** Keys that only other kinds of documents have at their root, with advice. */
const OTHER_DOCUMENTS: Readonly<Record<string, string>> = {
  mcpServers: CLIENT_SETTINGS,
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

/** Keys of other formats, with advice on what manifests have instead. */
const OTHER_KEYS: Readonly<Record<string, string>> = {
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

/** What to write instead of a key that only other formats have. @param path the path of its mapping */
export function adviceForOtherKey(
  key: string,
  mapping: JsonObject,
  path: ManifestPath,
): string | undefined {
  const [list] = path;
  if (list === "upstreams") return undefined;
  if (list === undefined && isOfOtherDocument(key, mapping[key])) return OTHER_DOCUMENTS[key];
  if (key === "command" && list !== undefined && list !== "transports") return undefined;
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
  return adviceForHome(key, node, mapping);
}

/** Names the keys of a mapping under which another of its keys belongs, if that is certain. */
function adviceForHome(key: string, node: SchemaNode, mapping: JsonObject): string | undefined {
  const properties = Object.entries(node.properties ?? {}).map(
    ([name, property]) => [name, resolveNode(property)] as const,
  );
  const homes = properties.filter(([, home]) => {
    const property = hasProperty(home, key) ? home.properties?.[key] : undefined;
    return property !== undefined && accepts(resolveNode(property), mapping[key] ?? null);
  });
  const isThere = ([name]: readonly [string, SchemaNode]): boolean => Object.hasOwn(mapping, name);
  const empty = homes.find(([name]) => mapping[name] === null);
  if (empty !== undefined) return `indent it: it belongs under ${quoted(empty[0])}, which is empty`;
  // Another home can only be meant if what stands beside the key is all that it needs.
  const isComplete = ({ required = [] }: SchemaNode): boolean =>
    required.every((name) => Object.hasOwn(mapping, name) && !hasProperty(node, name));
  const present = homes.filter(isThere);
  const possible = present.length > 0 ? present : homes.filter(([, home]) => isComplete(home));
  if (possible.length > 0) {
    return `it belongs under ${possible.map(([name]) => quoted(name)).join(" or ")}`;
  }
  const list = properties.find(
    ([name, { items }]) =>
      items !== undefined &&
      (node === manifestSchema() || Object.hasOwn(mapping, name)) &&
      alternativesOf(items).some((item) => hasProperty(item, key)),
  );
  return list && `it belongs into an item of ${quoted(list[0])}`;
}

/** Advice for an item whose only key is its name, with everything else under it: `- get_forecast: {…}`. */
export function adviceForNamedItem(node: SchemaNode, mapping: JsonObject): string | undefined {
  const [key] = node.required ?? [];
  const [name, another] = Object.keys(mapping);
  if (key === undefined || name === undefined || another !== undefined) return undefined;
  if (hasProperty(node, name) || !isJsonObject(mapping[name])) return undefined;
  return `write "${key}: ${excerpt(name)}", and beside it what stands under it`;
}
