import { isJsonObject, type JsonValue } from "../model/json.js";
import type { ManifestPath } from "../model/loaded-manifest.js";
import { flowYaml } from "../text/flow-yaml.js";
import { fullForm, listOf } from "./full-forms.js";
import { AUTHENTICATION_ADVICE } from "./key-advice.js";
import { accepts, acceptedTypes, resolveNode, type SchemaNode } from "./manifest-schema.js";
import { adviceForMapping, adviceForSequence } from "./list-advice.js";

/** Words that YAML 1.1 reads as true and false. Manifests are YAML 1.2, which reads most of them as texts. */
const BOOLEAN_WORDS: Readonly<Record<string, boolean>> = {
  ...{ true: true, yes: true, on: true, y: true },
  ...{ false: false, no: false, off: false, n: false },
};

/**
 * What to write instead of a value of the wrong type.
 *
 * @param source the first line of the value's text in the file
 */
export function adviceForType(
  node: SchemaNode,
  value: JsonValue,
  path: ManifestPath,
  source: string,
): string | undefined {
  if (path.length === 1 && path[0] === "auth") return AUTHENTICATION_ADVICE;
  const types = acceptedTypes(node);
  // A key of an item where a name is expected.
  const key = path.at(-1);
  const own = typeof key === "string" ? node.properties?.[key] : undefined;
  if (typeof key === "string" && own !== undefined && accepts(resolveNode(own), value)) {
    return `put it under a name: "NAME: {${key}: …}"`;
  }
  if (types.has("string") && typeof value !== "object") return `put it in quotes: "${source}"`;
  if (typeof value === "string") return adviceForText(node, types, value, path);
  if (types.has("array") && isJsonObject(value)) return adviceForMapping(node, value, source);
  if (!types.has("object") || types.has("string")) return undefined;
  const form = fullForm(node, value, path);
  if (form !== undefined) return `write ${form}`;
  return Array.isArray(value) ? adviceForSequence(node, value) : undefined;
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
  if (!types.has("object")) return undefined;
  if (path.length === 2 && path[0] === "env") {
    return "its value is set where the server runs; write {required: true}, or {default: …} for what is no secret";
  }
  const form = fullForm(node, text, path);
  return form && `write ${form}`;
}

/** Advice for a text in place of a list, which may have the text as its only item. */
function adviceForList(node: SchemaNode, text: string, path: ManifestPath): string | undefined {
  const key = String(path.at(-1));
  const item = node.items && resolveNode(node.items);
  if (item === undefined || accepts(item, text)) {
    const list = `write ${flowYaml(listOf(key, text))}`;
    const mayBeCode = key === "complete" || path.at(-2) === "complete";
    return mayBeCode ? `${list}, or code for values that a function of yours finds` : list;
  }
  const form = fullForm(item, text, [...path, 0]);
  return form && `write [${form}]`;
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

/** What to write instead of a value that a key does not take. */
export function adviceForValue(value: JsonValue, path: ManifestPath): string | undefined {
  if (path.at(-1) === "sessions" && value === true) return "write sessions: memory";
  const isQuestion = typeof value === "string" && value.startsWith("elicit");
  return isQuestion && path.at(-2) === "uses"
    ? 'questions to the user stand under "elicitations" alone'
    : undefined;
}
