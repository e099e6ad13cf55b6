import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from "yaml";
import { composeNodes } from "../1-load/compose.js";
import { indexLines } from "../1-load/line-index.js";
import { LIMITS } from "../1-load/limits.js";
import { scanYaml } from "../1-load/scan.js";
import { documentSyntax } from "../model/catalogue/imports.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { DocumentPath, DocumentSource } from "./api-document.js";

type Read = { readonly source: DocumentSource } | { readonly problem: Diagnostic };

/** A problem at an offset of the text. */
class YamlProblem extends Error {
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(problem);
    this.offset = offset;
  }
}

/** What a tag or a second document would add is nothing that OpenAPI has. */
const HARMLESS: ReadonlySet<string> = new Set(["tag", "directive", "second document"]);

/** Reads YAML with a bound on its depth, its size and what its aliases repeat. @param text with line feeds */
export function readYaml(file: string, text: string): Read {
  const lines = indexLines(file, text);
  try {
    const root = composedRoot(text);
    const value = new YamlConverter().convert(root);
    if (!isJsonObject(value)) throw new YamlProblem("is no mapping", 0);
    const locate = (path: DocumentPath) => {
      const [start, end] = nodeAt(root, path).range ?? [0, 0];
      return lines.place(start, end);
    };
    return { source: { file, text, value, locate } };
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error;
    const place = lines.place(error.offset, error.offset + 1);
    return { problem: documentSyntax(place, { problem: error.message }) };
  }
}

function composedRoot(text: string): Node {
  const { document, problems } = scanYaml(text);
  const grave = problems.find(({ kind }) => !HARMLESS.has(kind));
  if (grave !== undefined) {
    const words = "message" in grave ? grave.message : grave.kind;
    throw new YamlProblem(`cannot be read as YAML: ${words}`, grave.start);
  }
  const composed = document && composeNodes(document);
  const [syntax] = composed?.problems ?? [];
  if (syntax !== undefined) {
    throw new YamlProblem(`cannot be read as YAML: ${syntax.message}`, syntax.start);
  }
  if (composed?.root == null) throw new YamlProblem("is empty", 0);
  return composed.root;
}

/** Nodes → JSON. An alias becomes what it repeats. */
class YamlConverter {
  readonly #anchors = new Map<string, Node>();
  /** Nodes around the present one, through aliases too. */
  readonly #open = new Set<unknown>();
  #depthOfAliases = 0;
  #aliased = 0;

  convert(node: unknown): JsonValue {
    if (isAlias(node)) return this.#repeated(node.source, node.range?.[0] ?? 0);
    if (isScalar(node) || isMap(node) || isSeq(node)) {
      if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    }
    if (this.#depthOfAliases > 0 && ++this.#aliased > LIMITS.aliasedValues) {
      throw new YamlProblem("repeats too much by its aliases", (node as Node).range?.[0] ?? 0);
    }
    if (isScalar(node)) return scalar(node.value);
    if (!isMap(node) && !isSeq(node)) return null;
    this.#open.add(node);
    const value = isSeq(node)
      ? node.items.map((item) => this.convert(item))
      : this.#mapping(node.items);
    this.#open.delete(node);
    return value;
  }

  #repeated(name: string, offset: number): JsonValue {
    const target = this.#anchors.get(name);
    if (target === undefined)
      throw new YamlProblem(`has an alias *${name} without an anchor`, offset);
    if (this.#open.has(target))
      throw new YamlProblem(`has an alias *${name} inside of itself`, offset);
    this.#depthOfAliases += 1;
    const value = this.convert(target);
    this.#depthOfAliases -= 1;
    return value;
  }

  #mapping(items: readonly Pair[]): JsonObject {
    const entries = new Map<string, JsonValue>();
    const merged = new Map<string, JsonValue>();
    for (const { key, value } of items) {
      const name = keyOf(key);
      const offset = (key as Node).range?.[0] ?? 0;
      if (entries.has(name)) throw new YamlProblem(`has the key "${name}" twice`, offset);
      const converted = this.convert(value);
      const sources = name === "<<" ? sourcesOf(converted) : undefined;
      if (sources === undefined) entries.set(name, converted);
      // Of several, the first one counts.
      for (const [own, member] of sources ?? []) if (!merged.has(own)) merged.set(own, member);
    }
    // What the mapping says itself counts more than what it merges, wherever it stands.
    return Object.fromEntries([...merged, ...entries]);
  }
}

/** The members of what a mapping merges, `<<: *base` or `<<: [*one, *other]`; undefined for anything else. */
function sourcesOf(value: JsonValue): [string, JsonValue][] | undefined {
  const sources = Array.isArray(value) ? value : [value];
  return sources.every(isJsonObject) ? sources.flatMap(Object.entries<JsonValue>) : undefined;
}

function scalar(value: unknown): JsonValue {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" || typeof value === "boolean" ? value : null;
}

/** A key as JSON has it: a status such as `200` is a number in YAML. */
function keyOf(key: unknown): string {
  if (!isScalar(key)) return "";
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
}

/** The node at a path, or its nearest ancestor. */
function nodeAt(root: Node, path: DocumentPath): Node {
  let node = root;
  for (const segment of path) {
    const next = isSeq(node)
      ? node.items[Number(segment)]
      : isMap(node)
        ? entryOf(node.items, String(segment))
        : undefined;
    if (!isMap(next) && !isSeq(next) && !isScalar(next)) break;
    node = next;
  }
  return node;
}

function entryOf(items: readonly Pair[], name: string): unknown {
  const pair = items.find(({ key }) => keyOf(key) === name);
  return pair?.value ?? pair?.key;
}
