import { isJsonObject, type JsonValue } from "../model/json.js";
import type { ManifestPath } from "../model/loaded-manifest.js";
import { excerpt } from "../text/excerpt.js";
import { nearestName } from "../text/nearest-name.js";
import { resolveNode, type SchemaNode } from "./manifest-schema.js";
import { typesOf } from "./structure-types.js";
import { quoted } from "./wording.js";

/** What people write for true and false where YAML 1.1, which manifests are not, reads them so. */
const BOOLEAN_WORDS: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, on: true, y: true },
  ...{ false: false, no: false, off: false, n: false },
};

/** Words of others for values that a key takes. */
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

/** The value of an enumeration that was most likely meant. */
export function nearestValue(found: string, values: readonly string[]): string | undefined {
  const word = found.toLowerCase().replace(/[^a-z]/g, "");
  const meant = Object.hasOwn(OTHER_VALUES, word) ? OTHER_VALUES[word] : undefined;
  return meant !== undefined && values.includes(meant) ? meant : nearestName(found, values);
}

/**
 * What to write instead of a value of the wrong type.
 *
 * @param source the value as it stands in the file
 */
export function adviceForType(
  node: SchemaNode,
  value: JsonValue,
  path: ManifestPath,
  source: string,
): string | undefined {
  const types = acceptedTypes(node);
  if (types.has("string") && typeof value !== "object") return `put it in quotes: "${source}"`;
  if (typeof value === "string") return adviceForText(node, types, value, path);
  if (types.has("array") && isJsonObject(value)) return adviceForMapping(node, value);
  if (!types.has("object") || !Array.isArray(value)) return undefined;
  const [first] = value;
  return typeof first === "string" ? `write each as a key: "${excerpt(first)}: {}"` : undefined;
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
  if (types.has("array")) return `write [${excerpt(text)}]`;
  return types.has("object") ? adviceForItem(node, text, path) : undefined;
}

/** A text where an item with that name, type or text is meant. */
function adviceForItem(node: SchemaNode, text: string, path: ManifestPath): string | undefined {
  if (path.at(-1) === "content") return `write {type: text, text: …}`;
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

/** A mapping by name where a list of items with names is meant. */
function adviceForMapping(node: SchemaNode, mapping: object): string | undefined {
  const key = node.items && resolveNode(node.items).required?.[0];
  const [first] = Object.keys(mapping);
  if (key === undefined || first === undefined) return undefined;
  return `write a list, each item with its ${key}: "- ${key}: ${excerpt(first)}"`;
}

function acceptedTypes(node: SchemaNode): Set<string> {
  const own = typesOf(node);
  if (own.length > 0) return new Set(own);
  return new Set((node.oneOf ?? []).flatMap((branch) => [...acceptedTypes(resolveNode(branch))]));
}

/** Keys of other formats, and what takes their place. */
const OTHER_KEYS: Readonly<Record<string, string>> = {
  handler: "a handler is found by the item's name: `generate` makes its file",
  mcpServers: "this is the configuration of a client; `mcpwright init` writes a manifest",
  openapi: "this is an OpenAPI document; `mcpwright init` writes a manifest",
  swagger: "this is an OpenAPI document; `mcpwright init` writes a manifest",
};

/** Where an unknown key belongs, or why there is none like it. */
export function adviceForKey(key: string, node: SchemaNode): string | undefined {
  if (key.startsWith("//")) return "comments start with #, also in JSON";
  if (Object.hasOwn(OTHER_KEYS, key)) return OTHER_KEYS[key];
  const home = Object.entries(node.properties ?? {}).find(([, property]) =>
    Object.hasOwn(resolveNode(property).properties ?? {}, key),
  );
  return home && `it belongs under ${quoted(home[0])}`;
}
