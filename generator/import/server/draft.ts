import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { ManifestPath } from "../../model/loaded-manifest.js";
import { excerpt } from "../../text/excerpt.js";
import { namesInCode, takeUnique } from "../tool-names.js";
import { LONGEST_NAME, possibleName, toolNamesFor } from "./listed-names.js";
import { withObjectRoot } from "./listed-schema.js";
import { mendedSchema, type ItemProblem } from "./mended-schema.js";
import { mendedTemplate } from "./mended-template.js";
import { LIST_NAMES, LISTS, type ListedServer, type ListName } from "./listed-server.js";
import { whyUnreadable } from "./readable-item.js";
import { instancesInWords, instancesOfTemplates } from "./template-instances.js";

/** An item or a part of one that is not imported, and why. */
export interface Loss {
  /** `tool "find"`, or `the server`. */
  readonly item: string;
  readonly reason: string;
  /** True if the whole item is left out, and not only a part of it. */
  readonly isWhole: boolean;
}

interface DraftItem {
  readonly label: string;
  readonly value: JsonObject;
  /** The name or URI that the server has for the item, where the manifest has another one: keys of an `mcp` body. */
  readonly remote?: { readonly name: string } | { readonly uri: string };
}

/** The keys of the protocol in each list, in the order in which a manifest has them. */
const FIELDS: Readonly<Record<ListName, readonly string[]>> = {
  tools: "name title description annotations inputSchema outputSchema icons _meta".split(" "),
  resources: "uri name title description mimeType size annotations icons _meta".split(" "),
  resourceTemplates: "uriTemplate name title description mimeType annotations icons _meta".split(
    " ",
  ),
  prompts: "name title description arguments icons _meta".split(" "),
};

/** Keys that an item must have. If one of them is wrong, the whole item is left out. */
const REQUIRED_KEYS: ReadonlySet<string> = new Set([
  "name",
  "uri",
  "uriTemplate",
  "inputSchema",
  "description",
]);

/** For keys whose parts can be removed separately: the number of path segments of such a part. Otherwise 1. */
const PART_DEPTH: Readonly<Record<string, number>> = {
  icons: 2,
  annotations: 2,
  _meta: 2,
  arguments: 3,
};

export const SERVER = "the server";

/** The items of a manifest under construction. Parts that the manifest cannot contain are removed one by one. */
export class Draft {
  readonly lists: Record<ListName, DraftItem[]>;
  readonly losses: Loss[] = [];
  #toolsWithExecution = 0;

  readonly #newNames: ReadonlyMap<string, string>;

  constructor(lists: ListedServer["lists"]) {
    this.#newNames = toolNamesFor(lists.tools);
    const entries = LIST_NAMES.map((name) => [name, this.#items(name, lists[name])] as const);
    this.lists = Object.fromEntries(entries) as Record<ListName, DraftItem[]>;
    if (this.#toolsWithExecution > 0) {
      const reason = `\`execution\` of ${this.#toolsWithExecution} tools is left out: the protocol dropped it in 2026-07-28`;
      this.losses.push({ item: SERVER, reason, isWhole: false });
    }
  }

  /** The items of a list, for the manifest. */
  values(name: ListName): JsonObject[] {
    return this.lists[name].map(({ value }) => value);
  }

  /**
   * Corrects the schemas of a tool: what another dialect says becomes what JSON Schema 2020-12 says, and keywords that
   * are wrong in any dialect are left out.
   *
   * @returns false if nothing could be corrected
   */
  mendSchemas(index: number, problems: readonly ItemProblem[]): boolean {
    const item = this.lists.tools[index];
    if (item === undefined) return false;
    const { label, value } = item;
    let isMended = false;
    for (const key of ["inputSchema", "outputSchema"]) {
      const schema = value[key];
      const inside = problems.filter(({ path }) => path[0] === key);
      if (!isJsonObject(schema) || inside.length === 0) continue;
      const { schema: mended, losses } = mendedSchema(key, schema, inside);
      if (losses.length === 0) continue;
      value[key] = mended;
      for (const reason of losses) this.losses.push({ item: label, reason, isWhole: false });
      isMended = true;
    }
    return isMended;
  }

  /**
   * Gives a resource or a template a name of its own, where another one has the same file name, or a name of a length that
   * manifests allow: clients know both by their URIs, so that servers name several files `README.md`. Its former name
   * becomes the title, if it has none.
   *
   * @returns false if its name is not the problem
   */
  mendName(
    list: "resources" | "resourceTemplates",
    index: number,
    [first]: readonly ItemProblem[],
  ): boolean {
    const item = this.lists[list][index];
    const name = item?.value["name"];
    if (item === undefined || typeof name !== "string" || first?.path[0] !== "name") return false;
    const others = [...this.lists.resources, ...this.lists.resourceTemplates]
      .filter((other) => other !== item)
      .flatMap(({ value }) => (typeof value["name"] === "string" ? [value["name"]] : []));
    const possible = possibleName(name, item.value["uri"] ?? item.value["uriTemplate"]);
    const unique = takeUnique(possible, new Set(others.flatMap(namesInCode)), LONGEST_NAME);
    if (unique === name) return false;
    const hasTitle = name === "" || Object.hasOwn(item.value, "title");
    const value = { ...item.value, name: unique, ...(!hasTitle && { title: name }) };
    this.lists[list][index] = { ...item, value: inOrder(list, value) };
    const reason = `its name is ${JSON.stringify(excerpt(unique))} here: ${first.message}`;
    this.losses.push({ item: item.label, reason, isWhole: false });
    return true;
  }

  /** Writes the URI of a resource as clients do before they ask for it. @returns false if that changes nothing */
  mendUri(index: number, [first]: readonly ItemProblem[]): boolean {
    const item = this.lists.resources[index];
    const uri = item?.value["uri"];
    if (item === undefined || typeof uri !== "string" || first?.path[0] !== "uri") return false;
    const canonical = URL.canParse(uri) ? new URL(uri).href : uri;
    if (canonical === uri) return false;
    const { label, value } = item;
    this.lists.resources[index] = { label, value: { ...value, uri: canonical }, remote: { uri } };
    const reason = `its URI is ${JSON.stringify(excerpt(canonical))} here: ${first.message}`;
    this.losses.push({ item: label, reason, isWhole: false });
    return true;
  }

  /** Writes a URI template without what no manifest can say, if it means the same. @returns false if that is not possible */
  mendTemplate(index: number, [first]: readonly ItemProblem[]): boolean {
    const item = this.lists.resourceTemplates[index];
    const template = item?.value["uriTemplate"];
    if (item === undefined || typeof template !== "string") return false;
    if (first?.path[0] !== "uriTemplate") return false;
    const mended = mendedTemplate(template);
    if (mended === undefined) return false;
    item.value["uriTemplate"] = mended;
    const reason = `its URI template is ${JSON.stringify(excerpt(mended))} here, with one value for each variable: ${first.message}`;
    this.losses.push({ item: item.label, reason, isWhole: false });
    return true;
  }

  /**
   * Removes the part of an item that a problem is about. If the item needs that part, removes the item.
   *
   * @param path path of the problem within the item
   * @param isWholeItem true to remove the item in any case
   */
  removePart(
    name: ListName,
    index: number,
    path: ManifestPath,
    problem: string,
    isWholeItem: boolean,
  ): void {
    const item = this.lists[name][index];
    if (item === undefined) return;
    const { label, value } = item;
    const part = partAt(path);
    if (part === undefined || isWholeItem || !remove(value, part)) {
      this.lists[name].splice(index, 1);
      this.losses.push({ item: label, reason: `is left out: ${problem}`, isWhole: true });
    } else {
      const reason = `\`${part.join(".")}\` is left out: ${problem}`;
      this.losses.push({ item: label, reason, isWhole: false });
    }
  }

  /**
   * Takes listed resources that fit a template for its instances: code lists them, and they are left out. A proxy keeps them.
   *
   * @returns false if nothing has changed
   */
  moveInstances(isProxy: boolean): boolean {
    const { resources, resourceTemplates } = this.lists;
    const found = instancesOfTemplates(this.values("resources"), this.values("resourceTemplates"));
    for (const { template, resources: instances } of found) {
      const item = resourceTemplates[template];
      if (item === undefined) continue;
      const uris = instances.map((index) => resources[index]?.value["uri"]);
      const reason = instancesInWords(uris, isProxy);
      this.losses.push({ item: item.label, reason, isWhole: false });
      if (!isProxy) item.value["list"] = "code";
    }
    if (isProxy || found.length === 0) return false;
    const moved = new Set(found.flatMap((one) => one.resources));
    this.lists.resources = resources.filter((_resource, index) => !moved.has(index));
    return true;
  }

  #items(name: ListName, listed: readonly JsonValue[]): DraftItem[] {
    return listed.flatMap((value, index) => {
      const label = labelOf(name, value, index);
      const problem = isJsonObject(value) ? whyUnreadable(value) : "is no object";
      if (isJsonObject(value) && problem === undefined) {
        const fields = this.#withProtocolKeys(name, label, value);
        return [name === "tools" ? this.#withAllowedName(label, fields) : { label, value: fields }];
      }
      this.losses.push({ item: label, reason: `is left out: it ${problem ?? ""}`, isWhole: true });
      return [];
    });
  }

  /** A copy of an item with the keys of the protocol only. */
  #withProtocolKeys(name: ListName, label: string, value: JsonObject): JsonObject {
    const unknownKeys = Object.keys(value).filter((key) => !FIELDS[name].includes(key));
    if (name === "tools" && unknownKeys.includes("execution")) this.#toolsWithExecution += 1;
    for (const key of unknownKeys) {
      if (name === "tools" && key === "execution") continue;
      const reason = `\`${excerpt(key)}\` is left out: the protocol has no such key`;
      this.losses.push({ item: label, reason, isWhole: false });
    }
    const copy = structuredClone(inOrder(name, value));
    return name === "tools" ? this.#asTool(label, copy) : copy;
  }

  /** A tool with an input schema for an object. */
  #asTool(label: string, tool: JsonObject): JsonObject {
    const inputSchema = withObjectRoot(tool["inputSchema"]);
    if (!isDeepStrictEqual(inputSchema, tool["inputSchema"])) {
      const reason = "`inputSchema` says `type: object` here, which the protocol requires";
      this.losses.push({ item: label, reason, isWhole: false });
    }
    return this.#withDescription(label, { ...tool, inputSchema });
  }

  /** A tool under a name that a manifest can have. */
  #withAllowedName(label: string, tool: JsonObject): DraftItem {
    const { name: remoteName } = tool;
    const name = typeof remoteName === "string" ? this.#newNames.get(remoteName) : undefined;
    if (name === undefined || typeof remoteName !== "string") return { label, value: tool };
    const reason = `its name is ${JSON.stringify(name)} here, since clients and model APIs refuse what it was`;
    this.losses.push({ item: label, reason, isWhole: false });
    return { label, value: { ...tool, name }, remote: { name: remoteName } };
  }

  /** Adds a description to a tool that has none, since a manifest requires one. */
  #withDescription(label: string, tool: JsonObject): JsonObject {
    const { name, description, ...otherFields } = tool;
    if ((description !== undefined && description !== "") || typeof name !== "string") return tool;
    const reason = "has no description, which models choose by: its name stands for one";
    this.losses.push({ item: label, reason, isWhole: false });
    return { name, description: name, ...otherFields };
  }
}

/** The keys of the protocol that an item has, in the order of manifests. */
function inOrder(name: ListName, value: JsonObject): JsonObject {
  const keys = FIELDS[name].filter((key) => Object.hasOwn(value, key));
  return Object.fromEntries(keys.map((key) => [key, value[key] ?? null]));
}

function labelOf(name: ListName, value: JsonValue, index: number): string {
  const { kind } = LISTS[name];
  const nameOrUri = isJsonObject(value) ? (value["name"] ?? value["uri"]) : undefined;
  return typeof nameOrUri === "string"
    ? `${kind} ${JSON.stringify(excerpt(nameOrUri))}`
    : `${kind} ${index + 1}`;
}

/** The path of the part to remove because of a problem. `undefined` if the whole item must be removed. */
function partAt(path: ManifestPath): ManifestPath | undefined {
  const [key] = path;
  if (typeof key !== "string" || REQUIRED_KEYS.has(key)) return undefined;
  const part = path.slice(0, PART_DEPTH[key] ?? 1);
  // An argument cannot lose its name.
  return key === "arguments" && (part.length < 3 || part[2] === "name") ? undefined : part;
}

function remove(value: JsonObject, path: ManifestPath): boolean {
  const [last] = path.slice(-1);
  let container: JsonValue | undefined = value;
  for (const segment of path.slice(0, -1)) {
    if (Array.isArray(container)) container = container[Number(segment)];
    else container = isJsonObject(container) ? container[String(segment)] : undefined;
  }
  if (Array.isArray(container)) return container.splice(Number(last), 1).length > 0;
  if (!isJsonObject(container) || !Object.hasOwn(container, String(last))) return false;
  delete container[String(last)];
  return true;
}
