import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { ManifestPath } from "../model/loaded-manifest.js";
import type { Mend } from "../model/mend.js";
import { flowYaml } from "../text/flow-yaml.js";
import { isSureName } from "../text/nearest-name.js";
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

/** What to write at keys that look like switches, of items and at the top, instead of true. */
const NO_SWITCHES: ReadonlyMap<unknown, string> = new Map([
  // A trial, which left the words of the question to the compiler.
  ["confirm", 'write the question, such as "Delete {{path}} for good?"'],
  // OpenAPI and JSON Schema have `deprecated: true`.
  ["deprecated", "write the version that announces it: { since: 1.2.0 }"],
  // A trial of a year, which wanted no setting of it.
  ["audit", "write {}, which has its defaults"],
]);

/** What to write instead of a value, in words, and as an edit where only one is possible. */
export interface Remedy {
  readonly advice: string;
  readonly mend?: Mend;
}

const inWords = (advice: string | undefined): Remedy | undefined =>
  advice === undefined ? undefined : { advice };

/**
 * What to write instead of a value of the wrong type, as the manifest's schema tells it.
 *
 * @param source the first line of the value's text in the file
 */
export function remedyForType(
  node: SchemaNode,
  value: JsonValue,
  path: ManifestPath,
  source: string,
): Remedy | undefined {
  const types = acceptedTypes(node);
  // A key of an item where a name is expected.
  const key = path.at(-1);
  const own = typeof key === "string" ? node.properties?.[key] : undefined;
  if (typeof key === "string" && own !== undefined && accepts(resolveNode(own), value)) {
    return inWords(`put it under a name: "NAME: {${key}: …}"`);
  }
  const inFull = path.length === 3 || path.length === 1 ? NO_SWITCHES.get(key) : undefined;
  if (typeof value === "boolean" && inFull !== undefined) {
    return inWords(value ? inFull : "leave it out");
  }
  if (types.has("string") && typeof value !== "object")
    return { advice: `put it in quotes: "${source}"`, mend: { edit: "quote" } };
  // Compose files and the settings of clients have the values of variables here.
  if (path.length === 2 && path[0] === "env" && value !== null && typeof value !== "object") {
    return inWords(
      "its value is set where the server runs; write {required: true}, or {default: …} for what is no secret",
    );
  }
  // The `cors` package of Express
  if (key === "cors" && isJsonObject(value)) {
    return inWords("the origins stand beside it: allowedOrigins: [https://app.example]");
  }
  // A trial of coding agents, whose header of a request was a variable of the server.
  if (isReference(value) && isPartOfRequest(path) && !types.has("object")) {
    return inWords("the upstream sends what the server keeps: write it under its headers or auth");
  }
  if (typeof value === "string") return remedyForText(node, types, value, path);
  if (types.has("string") && isJsonObject(value)) return inWords(textAlone(value));
  if (types.has("array") && isJsonObject(value)) return remedyForMapping(node, value);
  if (!types.has("object") || types.has("string")) return undefined;
  const form = fullForm(node, value);
  if (form !== undefined) return form;
  return Array.isArray(value) ? remedyForList(node, value) : undefined;
}

/** Keys of an `http` body with a mapping of values that are sent. */
const PARTS_OF_REQUEST: ReadonlySet<unknown> = new Set(["headers", "query", "form", "multipart"]);

/** True for a value that the `http` body of an item sends. An upstream may have the name `http`, too. */
const isPartOfRequest = (path: ManifestPath): boolean =>
  path[0] !== "upstreams" && path.at(-3) === "http" && PARTS_OF_REQUEST.has(path.at(-2));

/**
 * Advice for the name of a variable, or its notation in shells, in place of a mapping that takes a reference:
 * `apiKeys: "${KEYS}"`.
 *
 * @param root the whole manifest, which declares its variables
 */
export function referenceInstead(
  node: SchemaNode,
  value: JsonValue,
  root: JsonObject,
): string | undefined {
  const { env } = root;
  if (typeof value !== "string" || !isJsonObject(env ?? null)) return undefined;
  const name = /^(?:\$\{(\w+)\}|\$?(\w+))$/.exec(value)?.slice(1).find(Boolean);
  if (name === undefined || !Object.hasOwn(env as JsonObject, name)) return undefined;
  return hasProperty(node, "env") ? `write {env: ${name}}` : undefined;
}

/** True for a reference to a variable: `{ env: TOKEN }`. */
const isReference = (value: JsonValue): boolean =>
  isJsonObject(value) && typeof value["env"] === "string" && Object.keys(value).length === 1;

function remedyForText(
  node: SchemaNode,
  types: ReadonlySet<string>,
  text: string,
  path: ManifestPath,
): Remedy | undefined {
  const word = text.toLowerCase();
  if (types.has("boolean") && Object.hasOwn(BOOLEAN_WORDS, word)) {
    const to = BOOLEAN_WORDS[word] ?? null;
    return { advice: `write ${to}, without quotes`, mend: { edit: "unquote", to } };
  }
  if (types.has("integer")) return remedyForNumber(text, path);
  if (types.has("array")) {
    const item = node.items && resolveNode(node.items);
    if (item === undefined || accepts(item, text)) {
      const items = itemsOf(text, path.at(-1));
      const words = alternativesOf(node).flatMap((one) => one.const ?? []);
      // The same trial wrote `handler` for `code`, which the mend would have made the only suggestion.
      if (words.length > 0) return inWords(`write ${words.join(" or ")}, or ${flowYaml(items)}`);
      if (path.at(-1) === "command" && SHELL_SIGNS.test(text))
        return inWords(`write ${flowYaml(items)}`);
      const edit = items.length === 1 ? "put into list" : "split into list";
      return { advice: `write ${flowYaml(items)}`, mend: { edit, items } };
    }
    const form = fullForm(item, text);
    if (form !== undefined) return inWords(form.advice.replace(/^write (.*)$/, "write [$1]"));
    // A stranger's trial, which wrote what a prompt says as one text.
    const [example] = node.examples ?? [];
    return inWords(
      example === undefined ? undefined : `write a list, such as ${flowYaml(example)}`,
    );
  }
  return types.has("object") ? (fullForm(node, text) ?? neededKeys(node)) : undefined;
}

/**
 * Advice for a text in place of a mapping with several keys, or with none that it must have. In trials, messages of prompts,
 * `sql` bodies and `apiKeys` were one text.
 */
function neededKeys({ required = [], examples = [] }: SchemaNode): Remedy | undefined {
  if (required.length > 1) return inWords(`write a mapping with its ${required.join(" and ")}`);
  const [example] = examples;
  return required.length === 0 && example !== undefined
    ? inWords(`write a mapping, such as ${flowYaml(example)}`)
    : undefined;
}

/** Advice for a mapping with the text that is expected. A trial wrote the question of `confirm` as elicitations have it. */
function textAlone(mapping: JsonObject): string | undefined {
  const [[key = "", text] = [], another] = Object.entries(mapping);
  const isText = ["message", "text"].includes(key) && typeof text === "string" && text !== "";
  return isText && another === undefined ? `write ${flowYaml(text)} alone` : undefined;
}

/** Advice for a number in quotes, or with a unit as Compose files have it: `interval: 30s`, `mem_limit: 10mb`. */
function remedyForNumber(text: string, path: ManifestPath): Remedy | undefined {
  if (/^[0-9]+$/.test(text)) {
    const advice = `write it without quotes: ${text}`;
    const isExact = String(Number(text)) === text;
    return { advice, ...(isExact && { mend: { edit: "unquote", to: Number(text) } }) };
  }
  const [, unit] = /(Ms|Bytes)$/.exec(String(path.at(-1))) ?? [];
  if (unit === undefined || !/^[0-9]+ ?[A-Za-z]+$/.test(text)) return undefined;
  return inWords(`write ${unit === "Ms" ? "milliseconds" : "bytes"}, without a unit`);
}

/** Advice for a mapping in place of a list: it is the only item, or has the items by their names. */
function remedyForMapping({ items }: SchemaNode, mapping: JsonObject): Remedy | undefined {
  if (items === undefined || Object.keys(mapping).length === 0) return undefined;
  const { required = [] } = resolveNode(items);
  if (
    isJsonObject(mapping["properties"] ?? null) &&
    !hasProperty(resolveNode(items), "properties")
  ) {
    // A trial of coding agents, whose arguments of a prompt were those of a tool.
    return inWords(
      `this is a JSON Schema: write a list, each item with its ${required.join(" and ")}`,
    );
  }
  const isItem = Object.entries(mapping).some(
    ([key, value]) =>
      (required.length === 0 || !isJsonObject(value)) &&
      alternativesOf(items).some((alternative) => hasProperty(alternative, key)),
  );
  if (isItem) {
    const advice = 'it is one item: put "- " before its first key, or [ ] around it';
    return { advice, mend: { edit: "put into list" } };
  }
  return required.length > 0
    ? inWords(`write a list, each item with its ${required.join(" and ")}`)
    : undefined;
}

/** Advice for a list in place of a mapping. */
function remedyForList(node: SchemaNode, list: readonly JsonValue[]): Remedy | undefined {
  if (typeof node.additionalProperties === "object") {
    return inWords("write a mapping: each value under a name of its own");
  }
  const isOne = list.length === 1 && isJsonObject(list[0] ?? null);
  return isOne
    ? { advice: "one is meant: leave out the list around it", mend: { edit: "take out of list" } }
    : undefined;
}

/** The mapping of which someone wrote only the value of the key that it needs: `{max: 3}` for `retries: 3`. */
function fullForm(mapping: SchemaNode, value: JsonValue): Remedy | undefined {
  const under = (key: string, item: JsonValue, isSure: boolean): Remedy => ({
    advice: `write {${key}: ${flowYaml(item)}}`,
    ...(isSure && { mend: { edit: "put into mapping", key, value: item } }),
  });
  const [key, another] = mapping.required ?? [];
  if (key === undefined || another !== undefined) return undefined;
  const forms = (mapping.oneOf ?? []).map(resolveNode);
  const constants = forms.map(({ properties }) => properties?.[key]?.const);
  if (typeof value === "string" && constants.length > 0) {
    const texts = constants.filter((constant) => typeof constant === "string");
    const meant = meantName(value, texts);
    if (meant === undefined) return formAround(forms, key, value);
    return under(key, meant, isSureName(value, meant, texts));
  }
  const property = mapping.properties?.[key];
  if (property === undefined) return undefined;
  const node = resolveNode(property);
  if (fits(node, value)) return under(key, value, true);
  if (typeof value !== "string" || !acceptedTypes(node).has("array")) return undefined;
  return under(key, itemsOf(value, key), true);
}

/**
 * The form whose only other key has the name of its constant and takes the text: `{type: text, text: …}`. Messages of model
 * APIs have the text alone as their `content`.
 */
function formAround(
  forms: readonly SchemaNode[],
  constant: string,
  text: string,
): Remedy | undefined {
  for (const { required = [], properties = {} } of forms) {
    const [key = "", another] = required.filter((name) => name !== constant);
    const node = properties[key];
    if (node === undefined || another !== undefined) continue;
    if (properties[constant]?.const === key && fits(resolveNode(node), text)) {
      return { advice: `write {${constant}: ${key}, ${key}: …}` };
    }
  }
  return undefined;
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

/** The pattern of JSON Pointers in the manifest's schema. */
const JSON_POINTER = "^(?:/(?:[^~]|~[01])*)?$";

/**
 * The JSON Pointer for a path in the notation of JSONPath or of JavaScript: `$.data.items`. Without the `$`, a dot may be
 * part of a name, so that only the advice is given. Seen in a trial of coding agents.
 */
export function pointerInstead({ pattern }: SchemaNode, text: string): Remedy | undefined {
  if (pattern !== JSON_POINTER) return undefined;
  const [, root = "", path] = /^(\$\.?)?([\w-]+(?:\.[\w-]+|\[\d+\])*)$/.exec(text) ?? [];
  if (path === undefined) return undefined;
  const pointer = `/${path.replaceAll(/\[(\d+)\]/g, "/$1").replaceAll(".", "/")}`;
  const advice = `write ${pointer}`;
  const isSure = root !== "" || !path.includes(".");
  return { advice, ...(isSure && { mend: { edit: "set text", to: pointer } }) };
}

/** Signs that only a shell gives a meaning, so that a command line with them is no list of words. */
const SHELL_SIGNS = /[|&;<>$`\\*?(){}~]/;

/**
 * The list that a text most likely means: the words of a command line, which Compose files and settings of MCP clients
 * have as one text (duncatzat/vigils#14), or what commas part, as in `keywords` of packages (`normalize-data.js` of npm).
 */
function itemsOf(text: string, key: string | number | undefined): string[] {
  if (key === "command") {
    const words = text.match(/"[^"]*"|'[^']*'|\S+/g) ?? [text];
    return words.map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
  }
  const items = text.split(",").map((item) => item.trim());
  return items.every((item) => item !== "") ? items : [text];
}
