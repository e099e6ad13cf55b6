import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import { excerpt } from "../text/excerpt.js";
import { flowYaml } from "../text/flow-yaml.js";
import { identifyingKey, isFlag } from "./full-forms.js";
import {
  accepts,
  acceptedTypes,
  alternativesOf,
  resolveNode,
  typesOf,
  type SchemaNode,
} from "./manifest-schema.js";
import { nearestKey } from "./nearest-key.js";
import { nearestValue } from "./nearest-value.js";

/** Advice for lists in place of mappings, and for mappings in place of lists. */

/** Advice for a mapping in place of a list: it is the only item, or has the items by their names. */
export function adviceForMapping(
  { items }: SchemaNode,
  mapping: JsonObject,
  source: string,
): string | undefined {
  const [first] = Object.entries(mapping);
  if (items === undefined || first === undefined) return undefined;
  const item = resolveNode(items);
  const [key, value] = first;
  if (isItem(item, mapping)) return adviceForOneItem(key, value, source);
  const identifying = identifyingKey(item, key);
  if (identifying === undefined) return undefined;
  const own = isJsonObject(value) ? ownValue(value, identifying) : undefined;
  const shown = own ?? possibleValue(item, identifying, key);
  if (typeof shown !== "string") return undefined;
  const written = line(`- ${identifying}: ${flowYaml(shown)}`);
  return own === undefined
    ? `write a list, each item with its ${identifying}: ${written}`
    : `write a list of what stands under its keys: ${written}`;
}

/** What a key stands for as the value of a key of an item. Undefined if that takes only other values. */
function possibleValue(item: SchemaNode, identifying: string, key: string): string | undefined {
  const properties = alternativesOf(item).flatMap(({ properties = {} }) =>
    Object.hasOwn(properties, identifying) ? [resolveNode(properties[identifying] ?? {})] : [],
  );
  const allowed = properties.flatMap((property) => property.enum ?? property.const ?? []);
  if (allowed.length === 0) return key;
  return nearestValue(
    key,
    allowed.filter((value) => typeof value === "string"),
  );
}

/** True if a mapping is an item itself: it has a key that items need, or one of their keys with a simple value. */
function isItem(item: SchemaNode, mapping: JsonObject): boolean {
  return Object.entries(mapping).some(([key, value]) => {
    const properties = alternativesOf(item).flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, key) ? [resolveNode(properties[key] ?? {})] : [],
    );
    const isNeeded = item.required === undefined || item.required.includes(key);
    const isSimple = value !== null && !isJsonObject(value);
    return (isNeeded || isSimple) && properties.some((property) => accepts(property, value));
  });
}

function adviceForOneItem(key: string, value: JsonValue, source: string): string {
  if (source.startsWith("{")) {
    const isWhole = source.endsWith("}") && source.length <= 60;
    return `it is one item: write [${isWhole ? source : "{…}"}]`;
  }
  const shown = typeof value === "object" ? "…" : flowYaml(value);
  return `it is one item: put a hyphen before its first key: ${line(`- ${excerpt(key)}: ${shown}`)}`;
}

/** Advice for a list in place of a mapping. */
export function adviceForSequence(
  node: SchemaNode,
  list: readonly JsonValue[],
): string | undefined {
  const [first, second] = list;
  const child =
    typeof node.additionalProperties === "object" ? node.additionalProperties : undefined;
  if (typeof first === "string") {
    return child === undefined ? adviceForFlags(node, first) : adviceForEntries(child, first, list);
  }
  if (!isJsonObject(first)) return undefined;
  if (child !== undefined) return adviceForItems(child, first);
  return second === undefined ? "one is meant: leave out the list around it" : undefined;
}

/** Advice for a list of the names of flags. */
function adviceForFlags({ properties = {} }: SchemaNode, first: string): string | undefined {
  const key = nearestKey(first, Object.keys(properties));
  const property = key === undefined ? undefined : properties[key];
  return property !== undefined && isFlag(property)
    ? `write each as a key: "${key}: true"`
    : undefined;
}

/** Advice for a list of texts in place of a mapping with keys of the author's own. */
function adviceForEntries(
  child: SchemaNode,
  first: string,
  list: readonly JsonValue[],
): string | undefined {
  const node = resolveNode(child);
  const [, name, text] = /^([\w-]+)\s*[=:]\s*(.+)$/.exec(first) ?? [];
  if (name !== undefined && text !== undefined && accepts(node, text)) {
    return `write each as a key: ${line(`${name}: ${flowYaml(text)}`)}`;
  }
  if (acceptedTypes(node).has("array")) {
    return `write the list under the name that it is for: ${line(`x: ${flowYaml([...list.slice(0, 3)])}`)}`;
  }
  const value = valueOfKey(child, first);
  return value && `write each as a key: ${line(`${excerpt(first)}: ${value}`)}`;
}

/** Definitions of texts in which `{{name}}` stands for an argument. */
const TEXTS_WITH_PLACEHOLDERS: ReadonlySet<string> = new Set([
  "#/$defs/httpValue",
  "#/$defs/httpText",
]);

/** The least that can stand under a key of which only the name is known. */
function valueOfKey(child: SchemaNode, name: string): string | undefined {
  const node = resolveNode(child);
  if (TEXTS_WITH_PLACEHOLDERS.has(child.$ref ?? "")) return `"{{${excerpt(name)}}}"`;
  if (child.$ref === "#/$defs/setting" && /^[A-Z][A-Z0-9_]*$/.test(name)) return `{env: ${name}}`;
  if (typesOf(node).includes("null")) return "{}";
  if (acceptedTypes(node).has("string")) return "…";
  if (node.title === "upstream") return "{baseUrl: …}";
  const required = node.required ?? [];
  return required.length === 0 ? undefined : `{${required.map((key) => `${key}: …`).join(", ")}}`;
}

/** Advice for a list of mappings in place of a mapping with keys of the author's own. */
function adviceForItems(child: SchemaNode, first: JsonObject): string | undefined {
  const node = resolveNode(child);
  const { name, value } = first;
  if (typeof name === "string") {
    const shown = value !== undefined && accepts(node, value) ? flowYaml(value) : "{…}";
    return `write each under its name: ${line(`${excerpt(name)}: ${shown}`)}`;
  }
  const [only, another] = Object.entries(first);
  if (only === undefined || another !== undefined) return undefined;
  const shown = typeof only[1] === "object" ? "{…}" : flowYaml(only[1]);
  return `write all as one mapping: ${line(`${excerpt(only[0])}: ${shown}`)}`;
}

/** A line of YAML within a hint. */
const line = (yaml: string): string => (yaml.includes('"') ? `\`${yaml}\`` : `"${yaml}"`);
