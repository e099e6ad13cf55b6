import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { Diagnostic } from "../model/diagnostic.js";
import {
  duplicateKey,
  forbiddenKey,
  mergeKey,
  nonScalarKey,
  nonStringKey,
  textInComment,
  unknownAlias,
  unusedAnchor,
} from "../model/catalogue/load.js";
import {
  aliasExpansion,
  integerNotExact,
  numberNotJson,
  recursiveAlias,
  tooDeep,
  tooManyKeys,
} from "../model/catalogue/load-limits.js";
import { excerpt } from "../text/excerpt.js";
import { quoted } from "../text/value-words.js";
import { LIMITS } from "./limits.js";
import type { LineIndex } from "./line-index.js";
import { commentInPlaceOfText, unusedAnchors } from "./lost-texts.js";
import { placeholderBetween } from "./placeholder-advice.js";
import type { Spent } from "./scan.js";

/** The node that each alias of a document repeats. */
export type AliasTargets = ReadonlyMap<Alias, unknown>;

/** The size of a node's value after its aliases have been replaced by copies. */
interface Extent {
  /** Values, the node itself included. */
  readonly size: number;
  /** Levels of lists and mappings, the node itself included. */
  readonly height: number;
}

/** The keys of a mapping that were read so far. */
interface KeysSoFar {
  readonly first: Map<string, Scalar>;
  /**
   * The last key to which the lines after it would belong if they were indented. In readmeio/swagger-inline#215, the
   * keywords of a schema stand beside its key.
   */
  open?: Scalar;
}

const SCALAR_EXTENT: Extent = { size: 1, height: 0 };

/**
 * Reports, in the order of the text, what YAML allows and a manifest does not, and finds the node that each
 * alias repeats. It counts sizes and expands no alias. It is recursive: the scan has limited the depth.
 */
export class NodeCheck {
  readonly diagnostics: Diagnostic[] = [];
  readonly aliasTargets = new Map<Alias, unknown>();
  readonly #lines: LineIndex;
  readonly #anchors = new Map<string, unknown>();
  /** Single values with an anchor, without keys. */
  readonly #anchored: Scalar[] = [];
  /** Extents of the lists and mappings that have an anchor. */
  readonly #extents = new Map<unknown, Extent>();
  /** Lists and mappings with an anchor around the node that is being checked. */
  readonly #open = new Set<unknown>();
  readonly #spent: Spent;

  constructor(lines: LineIndex, spent: Spent) {
    this.#lines = lines;
    this.#spent = spent;
  }

  /** @param depth levels of lists and mappings around the node */
  check(node: unknown, depth: number): Extent {
    if (isAlias(node)) return this.#checkAlias(node, depth);
    this.#noteAnchor(node);
    if (isScalar(node)) this.#checkScalar(node);
    if (!isMap(node) && !isSeq(node)) return SCALAR_EXTENT;
    if (depth === LIMITS.depth) {
      this.diagnostics.push(tooDeep(this.#placeOf(node), { limit: LIMITS.depth }));
      return SCALAR_EXTENT;
    }
    const hasAnchor = node.anchor !== undefined;
    if (hasAnchor) this.#open.add(node);
    const children = isMap(node) ? this.#checkEntries(node, depth) : this.#checkItems(node, depth);
    const extent = { size: children.size + 1, height: children.height + 1 };
    if (hasAnchor) {
      this.#open.delete(node);
      this.#extents.set(node, extent);
    }
    return extent;
  }

  /** Call this after the check of the whole document. */
  reportUnusedAnchors(): void {
    const used = new Set(this.aliasTargets.values());
    for (const { anchor, start, end } of unusedAnchors(this.#anchored, used, this.#lines.text)) {
      this.diagnostics.push(
        unusedAnchor(this.#lines.place(start, end), { anchor: excerpt(anchor) }),
      );
    }
  }

  #checkScalar(node: Scalar): void {
    if (node.anchor !== undefined) this.#anchored.push(node);
    this.#checkNumber(node);
    const comment = commentInPlaceOfText(node, this.#lines.text);
    if (comment === undefined) return;
    const { start, end } = comment;
    const parameters = { comment: excerpt(this.#lines.text.slice(start, end).trimEnd()) };
    this.diagnostics.push(textInComment(this.#lines.place(start, end), parameters));
  }

  #noteAnchor(node: unknown): void {
    if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined) {
      this.#anchors.set(node.anchor, node);
    }
  }

  #checkItems({ items }: { items: readonly unknown[] }, depth: number): Extent {
    return items.map((item) => this.check(item, depth + 1)).reduce(addExtents, SCALAR_EXTENT);
  }

  #checkEntries(map: YAMLMap, depth: number): Extent {
    const { items } = map;
    if (items.length > LIMITS.keys) {
      const parameters = { found: items.length, limit: LIMITS.keys };
      this.diagnostics.push(tooManyKeys(this.#placeOf(items[LIMITS.keys]?.key), parameters));
      return SCALAR_EXTENT;
    }
    takeNumbersAsTexts(items);
    const keys: KeysSoFar = { first: new Map() };
    const extents = items.map((entry) => {
      this.#checkKey(entry, keys, map);
      if (map.flow !== true && isScalar(entry.key) && mayGoOn(entry.value)) keys.open = entry.key;
      return this.check(entry.value, depth + 1);
    });
    return extents.reduce(addExtents, SCALAR_EXTENT);
  }

  #checkKey({ key }: Pair, keys: KeysSoFar, map: YAMLMap): void {
    if (isScalar(key) && typeof key.value === "string") {
      this.#checkStringKey(key, key.value, keys);
    } else if (isMap(key) || isSeq(key)) {
      this.diagnostics.push(this.#collectionAsKey(key, map));
    } else {
      this.diagnostics.push(nonStringKey(this.#placeOf(key), { found: describeKey(key) }));
    }
    this.#noteAnchor(key);
  }

  /** `{{city}}` is a mapping whose key is a mapping. It may be a value, or a key itself. */
  #collectionAsKey(key: YAMLMap | YAMLSeq, map: YAMLMap): Diagnostic {
    for (const node of [map, key]) {
      const [start, end] = node.range ?? [0, 0];
      const placeholder = placeholderBetween(this.#lines.text, start, end);
      if (placeholder !== undefined) return nonScalarKey(this.#placeOf(node), { placeholder });
    }
    return nonScalarKey(this.#placeOf(key), {});
  }

  #checkStringKey(key: Scalar, name: string, keys: KeysSoFar): void {
    if (name === "__proto__") {
      this.diagnostics.push(forbiddenKey(this.#placeOf(key), { key: name }));
    } else if (name === "<<" && key.type === "PLAIN") {
      this.diagnostics.push(mergeKey(this.#placeOf(key), {}));
    } else {
      this.#checkUnique(key, name, keys);
    }
  }

  #checkUnique(key: Scalar, name: string, { first, open }: KeysSoFar): void {
    const earlier = first.get(name);
    if (earlier === undefined) {
      first.set(name, key);
      return;
    }
    const firstPlace = this.#placeOf(earlier);
    const openLine = open === undefined ? 0 : this.#placeOf(open).line;
    const parameters = {
      key: excerpt(name),
      firstLine: firstPlace.line,
      ...(openLine > firstPlace.line && {
        owner: quoted(String(open?.value)),
        ownerLine: openLine,
      }),
    };
    this.diagnostics.push(
      duplicateKey(this.#placeOf(key), parameters, [{ ...firstPlace, message: "the first one" }]),
    );
  }

  #checkAlias(alias: Alias, depth: number): Extent {
    const place = this.#placeOf(alias);
    const name = alias.source;
    const target = this.#anchors.get(name);
    if (target === undefined) {
      this.diagnostics.push(unknownAlias(place, { alias: excerpt(name) }));
      return SCALAR_EXTENT;
    }
    if (this.#open.has(target)) {
      this.diagnostics.push(recursiveAlias(place, { alias: excerpt(name) }));
      return SCALAR_EXTENT;
    }
    this.aliasTargets.set(alias, target);
    const extent = this.#extents.get(target) ?? SCALAR_EXTENT;
    if (depth + extent.height > LIMITS.depth) {
      this.diagnostics.push(tooDeep(place, { limit: LIMITS.depth }));
    }
    return this.#spendOnAlias(alias, extent);
  }

  /** Counts the values that an alias repeats. Reports the alias that exceeds the limit and no later alias. */
  #spendOnAlias(alias: Alias, extent: Extent): Extent {
    const limit = LIMITS.aliasedValues;
    if (this.#spent.aliasedValues > limit) return SCALAR_EXTENT;
    this.#spent.aliasedValues += extent.size;
    if (this.#spent.aliasedValues <= limit) return extent;
    this.diagnostics.push(
      aliasExpansion(this.#placeOf(alias), { alias: excerpt(alias.source), limit }),
    );
    return SCALAR_EXTENT;
  }

  #checkNumber(node: Scalar): void {
    if (typeof node.value !== "number") return;
    const source = node.source ?? String(node.value);
    if (!Number.isFinite(node.value)) {
      this.diagnostics.push(numberNotJson(this.#placeOf(node), { found: excerpt(source) }));
    } else if (isRounded(source, node.value)) {
      const becomes = BigInt(node.value).toString();
      this.diagnostics.push(
        integerNotExact(this.#placeOf(node), { found: excerpt(source), becomes }),
      );
    }
  }

  #placeOf(node: unknown) {
    const range = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node) ? node.range : null;
    const [start, end] = range ?? [0, 0];
    return this.#lines.place(start, end);
  }
}

/** True for a value to which further lines could belong if they were indented: no value, or a list or mapping of lines. */
function mayGoOn(value: unknown): boolean {
  if (isMap(value) || isSeq(value)) return value.flow !== true;
  return value === null || (isScalar(value) && value.value === null && value.source === "");
}

function addExtents(total: Extent, next: Extent): Extent {
  return { size: total.size + next.size, height: Math.max(total.height, next.height) };
}

/** True if the number that was read from a decimal integer is another number. */
function isRounded(source: string, value: number): boolean {
  if (Number.isSafeInteger(value) || !/^[-+]?[0-9]+$/.test(source)) return false;
  return BigInt(source.replace(/^\+/, "")) !== BigInt(value);
}

/** Makes keys such as `404` texts, since they can be read in one way only. Not where the same text is a key, too. */
function takeNumbersAsTexts(entries: readonly Pair[]): void {
  const keys = entries.map(({ key }) => key).filter((key) => isScalar(key));
  const numbers = keys.filter(isWholeNumber);
  if (numbers.length === 0) return;
  const texts = new Set(keys.map(({ value }) => value));
  for (const key of numbers) if (!texts.has(key.source)) key.value = key.source;
}

function isWholeNumber({ value, source }: Scalar): boolean {
  const isWhole = typeof value === "number" && value >= 0 && Number.isSafeInteger(value);
  return isWhole && String(value) === source;
}

function describeKey(key: unknown): string {
  if (isAlias(key)) return "an alias";
  const value = isScalar(key) ? key.value : null;
  return value === null ? "empty" : `the ${typeof value} ${String(value)}`;
}
