import { isAlias, isMap, isScalar, isSeq, type Node, type Pair } from "yaml";
import { composeNodes } from "../1-load/compose.js";
import { indexLines } from "../1-load/line-index.js";
import { LIMITS } from "../1-load/limits.js";
import { scanYaml } from "../1-load/scan.js";
import { documentSyntax } from "../model/catalogue/imports.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { DocumentPath, DocumentSource, Read } from "./api-document.js";

/** A problem at an offset of the text. */
class YamlProblem extends Error {
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(problem);
    this.offset = offset;
  }
}

/** Features of YAML that are ignored, since OpenAPI does not use them. */
const IGNORED_FEATURES: ReadonlySet<string> = new Set(["tag", "directive", "second document"]);

/**
 * Reads a YAML text, with limits for its depth, its size and the values that its aliases repeat.
 *
 * @param file the path that diagnostics show
 * @param text the text, with line feeds as line ends
 */
export function readYaml(file: string, text: string): Read<{ readonly source: DocumentSource }> {
  try {
    const root = composedRoot(text);
    const lines = indexLines(file, text);
    const value = new YamlConverter().convert(root);
    if (!isJsonObject(value)) throw new YamlProblem("is no mapping", 0);
    const locate = (path: DocumentPath) => {
      const [start, end] = nodeAt(root, path).range ?? [0, 0];
      return lines.place(start, end);
    };
    return { source: { file, text, value, locate } };
  } catch (error) {
    if (!(error instanceof YamlProblem)) throw error;
    const { offset } = error;
    // The text after the place may have any number of lines.
    const place = indexLines(file, text.slice(0, offset + 1)).place(offset, offset + 1);
    return { problem: documentSyntax(place, { problem: error.message }) };
  }
}

function composedRoot(text: string): Node {
  const { document, problems } = scanYaml(text);
  const firstError = problems.find(({ kind }) => !IGNORED_FEATURES.has(kind));
  if (firstError !== undefined) {
    const message = "message" in firstError ? firstError.message : firstError.kind;
    throw new YamlProblem(`cannot be read as YAML: ${message}`, firstError.start);
  }
  const composed = document && composeNodes(document);
  const [syntax] = composed?.problems ?? [];
  if (syntax !== undefined) {
    throw new YamlProblem(`cannot be read as YAML: ${syntax.message}`, syntax.start);
  }
  if (composed?.root == null) throw new YamlProblem("is empty", 0);
  return composed.root;
}

/** Converts YAML nodes to JSON. An alias becomes a copy of the value that it repeats. */
class YamlConverter {
  readonly #anchors = new Map<string, Node>();
  /** The nodes that contain the present node, directly or through aliases. */
  readonly #enclosingNodes = new Set<unknown>();
  #depthOfAliases = 0;
  /** The number of values that aliases have repeated. */
  #repeatedValues = 0;

  convert(node: unknown): JsonValue {
    if (isAlias(node)) return this.#resolveAlias(node.source, node.range?.[0] ?? 0);
    if (isScalar(node) || isMap(node) || isSeq(node)) {
      if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    }
    if (this.#depthOfAliases > 0 && ++this.#repeatedValues > LIMITS.aliasedValues) {
      throw new YamlProblem("repeats too much by its aliases", (node as Node).range?.[0] ?? 0);
    }
    if (isScalar(node)) return scalar(node.value);
    if (!isMap(node) && !isSeq(node)) return null;
    this.#enclosingNodes.add(node);
    const value = isSeq(node)
      ? node.items.map((item) => this.convert(item))
      : this.#mapping(node.items);
    this.#enclosingNodes.delete(node);
    return value;
  }

  #resolveAlias(name: string, offset: number): JsonValue {
    const target = this.#anchors.get(name);
    if (target === undefined)
      throw new YamlProblem(`has an alias *${name} without an anchor`, offset);
    if (this.#enclosingNodes.has(target))
      throw new YamlProblem(`has an alias *${name} inside of itself`, offset);
    this.#depthOfAliases += 1;
    const value = this.convert(target);
    this.#depthOfAliases -= 1;
    return value;
  }

  #mapping(items: readonly Pair[]): JsonObject {
    const entries = new Map<string, JsonValue>();
    const mergedEntries = new Map<string, JsonValue>();
    for (const { key, value } of items) {
      const name = keyOf(key);
      const offset = (key as Node).range?.[0] ?? 0;
      if (entries.has(name)) throw new YamlProblem(`has the key "${name}" twice`, offset);
      const converted = this.convert(value);
      const sources = name === "<<" ? sourcesOf(converted) : undefined;
      if (sources === undefined) entries.set(name, converted);
      // If several merged mappings have the same key, the first one wins.
      for (const [mergedKey, member] of sources ?? [])
        if (!mergedEntries.has(mergedKey)) mergedEntries.set(mergedKey, member);
    }
    // The mapping's own keys override merged keys, in whatever order they are written.
    return Object.fromEntries([...mergedEntries, ...entries]);
  }
}

/** The entries that `<<: *base` or `<<: [*one, *other]` merges. Undefined if the value is no mapping or list of them. */
function sourcesOf(value: JsonValue): [string, JsonValue][] | undefined {
  const sources = Array.isArray(value) ? value : [value];
  return sources.every(isJsonObject) ? sources.flatMap(Object.entries<JsonValue>) : undefined;
}

function scalar(value: unknown): JsonValue {
  if (typeof value === "bigint") return Number(value);
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" || typeof value === "boolean" ? value : null;
}

/** A key as a string, since keys such as the status `200` are numbers in YAML. */
function keyOf(key: unknown): string {
  if (!isScalar(key)) return "";
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
}

/** The node at a path, or its nearest existing ancestor. */
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
