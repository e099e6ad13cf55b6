import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { ManifestPath } from "../model/loaded-manifest.js";
import { flowYaml } from "../text/flow-yaml.js";
import {
  accepts,
  acceptedTypes,
  alternativesOf,
  hasProperty,
  resolveNode,
  type SchemaNode,
} from "./manifest-schema.js";
import { meantName } from "./meant-name.js";

/** Words that YAML 1.1 reads as true and false. Manifests are YAML 1.2, which reads most of them as texts. */
const BOOLEAN_WORDS: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, on: true, y: true },
  ...{ false: false, no: false, off: false, n: false },
};

/**
 * What to write instead of a value of the wrong type, as the manifest's schema tells it.
 *
 * @param source the first line of the value's text in the file
 */
export function adviceForType(
  node: SchemaNode,
  value: JsonValue,
  path: ManifestPath,
  source: string,
): string | undefined {
  const types = acceptedTypes(node);
  // A key of an item where a name is expected.
  const key = path.at(-1);
  const own = typeof key === "string" ? node.properties?.[key] : undefined;
  if (typeof key === "string" && own !== undefined && accepts(resolveNode(own), value)) {
    return `put it under a name: "NAME: {${key}: …}"`;
  }
  if (types.has("string") && typeof value !== "object") return `put it in quotes: "${source}"`;
  if (typeof value === "string") return adviceForText(node, types, value, path);
  if (types.has("array") && isJsonObject(value)) return adviceForMapping(node, value);
  if (!types.has("object") || types.has("string")) return undefined;
  const form = fullForm(node, value);
  if (form !== undefined) return `write ${form}`;
  return Array.isArray(value) ? adviceForList(node, value) : undefined;
}

function adviceForText(
  node: SchemaNode,
  types: ReadonlySet<string>,
  text: string,
  path: ManifestPath,
): string | undefined {
  const word = text.toLowerCase();
  if (types.has("boolean") && Object.hasOwn(BOOLEAN_WORDS, word)) {
    return `write ${BOOLEAN_WORDS[word]}, without quotes`;
  }
  if (types.has("integer")) return adviceForNumber(text, path);
  if (types.has("array")) {
    const item = node.items && resolveNode(node.items);
    if (item === undefined || accepts(item, text)) {
      return `write ${flowYaml(itemsOf(text, path.at(-1)))}`;
    }
    const form = fullForm(item, text);
    return form && `write [${form}]`;
  }
  // Compose files and the settings of clients have the values of variables here.
  if (path.length === 2 && path[0] === "env") {
    return "its value is set where the server runs; write {required: true}, or {default: …} for what is no secret";
  }
  const form = types.has("object") ? fullForm(node, text) : undefined;
  return form && `write ${form}`;
}

/** Advice for a number in quotes, or with a unit as Compose files have it: `30s`, `10mb`. */
function adviceForNumber(text: string, path: ManifestPath): string | undefined {
  if (/^[0-9]+$/.test(text)) return `write it without quotes: ${text}`;
  const [, unit] = /(Ms|Bytes)$/.exec(String(path.at(-1))) ?? [];
  if (unit === undefined || !/^[0-9]+ ?[A-Za-z]+$/.test(text)) return undefined;
  return `write ${unit === "Ms" ? "milliseconds" : "bytes"}, without a unit`;
}

/** Advice for a mapping in place of a list: it is the only item, or has the items by their names. */
function adviceForMapping({ items }: SchemaNode, mapping: JsonObject): string | undefined {
  if (items === undefined || Object.keys(mapping).length === 0) return undefined;
  const { required = [] } = resolveNode(items);
  const isItem = Object.entries(mapping).some(
    ([key, value]) =>
      (required.length === 0 || !isJsonObject(value)) &&
      alternativesOf(items).some((alternative) => hasProperty(alternative, key)),
  );
  if (isItem) return 'it is one item: put "- " before its first key, or [ ] around it';
  return required.length > 0
    ? `write a list, each item with its ${required.join(" and ")}`
    : undefined;
}

/** Advice for a list in place of a mapping. */
function adviceForList(node: SchemaNode, list: readonly JsonValue[]): string | undefined {
  if (typeof node.additionalProperties === "object") {
    return "write a mapping: each value under a name of its own";
  }
  const isOne = list.length === 1 && isJsonObject(list[0] ?? null);
  return isOne ? "one is meant: leave out the list around it" : undefined;
}

/** The mapping of which someone wrote only the value of the key that it needs: `{max: 3}` for `retries: 3`. */
function fullForm(mapping: SchemaNode, value: JsonValue): string | undefined {
  const [key, another] = mapping.required ?? [];
  if (key === undefined || another !== undefined) return undefined;
  const constants = (mapping.oneOf ?? []).map(
    (branch) => resolveNode(branch).properties?.[key]?.const,
  );
  if (typeof value === "string" && constants.length > 0) {
    const texts = constants.filter((constant) => typeof constant === "string");
    const meant = meantName(value, texts);
    return meant && `{${key}: ${meant}}`;
  }
  const property = mapping.properties?.[key];
  if (property === undefined) return undefined;
  const node = resolveNode(property);
  if (fits(node, value)) return `{${key}: ${flowYaml(value)}}`;
  if (typeof value !== "string" || !acceptedTypes(node).has("array")) return undefined;
  return `{${key}: ${flowYaml(itemsOf(value, key))}}`;
}

function fits(node: SchemaNode, value: JsonValue): boolean {
  if (isJsonObject(value) || value === null || !accepts(node, value)) return false;
  if (node.enum !== undefined) return node.enum.includes(value);
  if (Array.isArray(value)) {
    const { items } = node;
    return items === undefined || value.every((item) => fits(resolveNode(items), item));
  }
  return node.pattern === undefined || new RegExp(node.pattern, "u").test(String(value));
}

/** The list that a text most likely means: the words of a command line, as shells have it, or what commas part. */
function itemsOf(text: string, key: string | number | undefined): string[] {
  if (key === "command") {
    const words = text.match(/"[^"]*"|'[^']*'|\S+/g) ?? [text];
    return words.map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
  }
  const items = text.split(",").map((item) => item.trim());
  return items.every((item) => item !== "") ? items : [text];
}
