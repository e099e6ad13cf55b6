import { isDeepStrictEqual } from "node:util";
import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  stringify,
  visit,
  type Node,
  type Pair,
  type Scalar,
} from "yaml";
import { composeNodes } from "../1-load/compose.js";
import { endOf } from "../1-load/locate.js";
import { scanYaml } from "../1-load/scan.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { ManifestPath } from "../model/loaded-manifest.js";
import { applySplices, type Splice } from "../text/splice.js";
import { entryText, flowText, itemText, scalarText } from "./manifest-text.js";
import {
  entryOf,
  membersOf,
  rangeOfMember,
  spliceMembers,
  type Collection,
  type Insertion,
} from "./collection-splices.js";
import { SourceLines, withLineEnds, withoutOverlaps, type Range } from "./source-lines.js";

/** The items to remove from a list of the manifest, and the items to insert. */
export interface ListChanges {
  readonly removed: ReadonlySet<number>;
  readonly inserted: readonly { readonly after: number; readonly value: JsonValue }[];
}

/** A value in the text that can be replaced. */
interface Slot {
  readonly node: unknown;
  /** The splice that replaces the whole value. */
  readonly replace: (to: JsonValue) => Splice;
  /** The offset of the colon or the dash before the value. */
  readonly markOffset?: number;
}

/**
 * Changes values in a manifest's text. Everything that does not change stays byte for byte, with its comments, its
 * order and its quotes.
 */
export class ManifestEditor {
  readonly #lines: SourceLines;
  readonly #root: Node | null;
  readonly #splices: Splice[] = [];

  readonly #source: string;

  /** @param source the text of a manifest that can be loaded */
  constructor(source: string) {
    this.#source = source;
    const text = source.replaceAll("\r\n", "\n");
    this.#lines = new SourceLines(text);
    const { document } = scanYaml(text);
    this.#root = document === undefined ? null : composeNodes(document).root;
  }

  /** The text with all changes. */
  get text(): string {
    const splices = withoutOverlaps(this.#splices);
    if (this.#source === this.#lines.text) return applySplices(this.#source, splices);
    return applySplices(this.#source, withLineEnds(this.#source, splices));
  }

  /** True if the text has a top-level key. */
  has(key: string): boolean {
    return isMap(this.#root) && entryOf(this.#root, key) !== undefined;
  }

  /** Replaces the value at a path. @param from the present value */
  change(path: ManifestPath, from: JsonValue, to: JsonValue): void {
    this.#change(this.#slotAt(path), from, to);
  }

  /** Removes items from a list and inserts others. @throws Error if the path leads to no list */
  changeList(path: ManifestPath, { removed, inserted }: ListChanges): void {
    const slot = this.#slotAt(path);
    const { node } = slot;
    if (!isSeq(node)) throw new Error("the list that is to be changed is none");
    if (removed.size === node.items.length) {
      this.#splices.push(slot.replace(inserted.map(({ value }) => value)));
    } else this.#splices.push(...spliceMembers(this.#lines, node, { removed, inserted }));
  }

  /**
   * Replaces the value of a top-level key, or adds the key.
   *
   * @param after the key after which a new key is added
   */
  setSection(
    key: string,
    from: JsonValue | undefined,
    to: JsonValue | undefined,
    after: string,
  ): void {
    if (to === undefined) return;
    if (from !== undefined) return this.change([key], from, to);
    const root = this.#root;
    if (!isMap(root)) throw new Error("the manifest is no mapping");
    const { index = -1 } = entryOf(root, after) ?? {};
    const inserted = [{ key, value: to, after: index }];
    this.#splices.push(...spliceMembers(this.#lines, root, { removed: new Set(), inserted }));
  }

  /** True if a value can be removed. Its comments are removed with it, but not anchors that other places refer to. */
  isRemovable(path: ManifestPath): boolean {
    return this.whyUnchangeable(path, undefined) !== SHARED_TEXT;
  }

  /**
   * Why the text of a value must not be changed. Undefined if it can be changed.
   *
   * @param to the new value; undefined if the entry would be removed
   */
  whyUnchangeable(path: ManifestPath, to: JsonValue | undefined): string | undefined {
    let node: unknown = this.#root;
    let range: Range = { start: 0, end: 0 };
    for (const segment of path) {
      if (hasSharedText(node)) return SHARED_TEXT;
      const member = this.#step(node, segment);
      if (member === undefined) return undefined;
      ({ node, range } = member);
    }
    if (hasSharedText(node) || (isNode(node) && hasAnchor(node))) return SHARED_TEXT;
    const staysOnLine = to !== undefined && isOnOneLine(node) && isOneLine(to);
    return !staysOnLine && this.#lines.hasComment(range) ? "has comments there" : undefined;
  }

  #step(node: unknown, segment: string | number): { node: unknown; range: Range } | undefined {
    if (isSeq(node) && typeof segment === "number") {
      return { node: node.items[segment], range: this.#rangeOf(node, segment) };
    }
    const member = isMap(node) ? entryOf(node, String(segment)) : undefined;
    if (member === undefined || !isMap(node)) return undefined;
    return { node: member.entry.value, range: this.#rangeOf(node, member.index) };
  }

  /** The range whose comments belong to a member. Within braces, that is the whole collection. */
  #rangeOf(collection: Collection, index: number): Range {
    const [start = 0, end = 0] = collection.range ?? [];
    return collection.flow === true
      ? { start, end }
      : rangeOfMember(this.#lines, collection, index);
  }

  #slotAt(path: ManifestPath): Slot {
    let slot: Slot = { node: this.#root, replace: () => ({ start: 0, end: 0, text: "" }) };
    for (const segment of path) slot = this.#slotIn(slot.node, segment);
    return slot;
  }

  #slotIn(collection: unknown, segment: string | number): Slot {
    if (isSeq(collection) && typeof segment === "number") {
      const node = collection.items[segment] as Node;
      const { start: markOffset = 0 } = membersOf(this.#lines, collection)[segment] ?? {};
      return {
        node,
        markOffset,
        replace: (to) => this.#replaceItem(node, to, collection.flow === true),
      };
    }
    const member = isMap(collection) ? entryOf(collection, String(segment)) : undefined;
    if (member === undefined || !isMap(collection)) throw new Error(`no place for ${segment}`);
    const { entry } = member;
    return {
      node: entry.value,
      markOffset: this.#colonOf(entry),
      replace: (to) => this.#replaceEntry(entry, to, collection.flow === true),
    };
  }

  #change(slot: Slot, from: JsonValue, to: JsonValue): void {
    if (isDeepStrictEqual(from, to)) return;
    const { node } = slot;
    if (isMap(node) && isJsonObject(from) && isJsonObject(to)) {
      if (this.#removeAllMembers(slot, to) || this.#changeMapping(slot, from, to)) return;
    } else if (isSeq(node) && Array.isArray(from) && Array.isArray(to)) {
      if (this.#removeAllMembers(slot, to) || this.#changeItems(slot, from, to)) return;
    }
    this.#splices.push(slot.replace(to));
  }

  /** Removes all members of a block, and keeps their comments. @returns false if it is no block or `to` is not empty */
  #removeAllMembers({ node, markOffset }: Slot, to: JsonObject | readonly JsonValue[]): boolean {
    const isCollection = isMap(node) || isSeq(node);
    if (!isCollection || !this.#isReplaceable(node)) return false;
    if (markOffset === undefined || Object.keys(to).length > 0) return false;
    const removed = new Set(node.items.keys());
    const text = Array.isArray(to) ? " []" : " {}";
    this.#splices.push({ start: markOffset + 1, end: markOffset + 1, text });
    this.#splices.push(...spliceMembers(this.#lines, node, { removed, inserted: [] }));
    return true;
  }

  /** Changes the entries of a mapping. @returns false if no entry stays, so that the whole mapping must be replaced */
  #changeMapping({ node }: Slot, from: JsonObject, to: JsonObject): boolean {
    if (!isMap(node)) return false;
    const keys = node.items.map(({ key }) => String(isScalar(key) ? key.value : key));
    const removed = new Set(keys.flatMap((key, index) => (Object.hasOwn(to, key) ? [] : [index])));
    if (removed.size === keys.length && !this.#isReplaceable(node)) return false;
    const indexOf = new Map(keys.map((key, index) => [key, index]));
    const inserted: Insertion[] = [];
    let after = -1;
    for (const [key, value] of Object.entries(to)) {
      const index = indexOf.get(key);
      if (index === undefined) inserted.push({ after, key, value });
      else this.#change(this.#slotIn(node, key), from[key] ?? null, value);
      after = index ?? after;
    }
    this.#splices.push(...spliceMembers(this.#lines, node, { removed, inserted }));
    return true;
  }

  /** True if all members can be removed while new ones are inserted. */
  #isReplaceable(node: Collection): boolean {
    return node.flow !== true && this.#lines.isFirstOnLine(node.range?.[0] ?? 0);
  }

  /** Changes the items of a list. Equal items stay. @returns false if no item stays */
  #changeItems({ node }: Slot, from: readonly JsonValue[], to: readonly JsonValue[]): boolean {
    if (!isSeq(node)) return false;
    if (from.length === to.length) {
      to.forEach((item, index) =>
        this.#change(this.#slotIn(node, index), from[index] ?? null, item),
      );
      return true;
    }
    const keptIndexes = new Set<number>();
    const inserted: Insertion[] = [];
    let nextIndex = 0;
    for (const value of to) {
      const index = from.findIndex((item, at) => at >= nextIndex && isDeepStrictEqual(item, value));
      if (index === -1) inserted.push({ after: nextIndex - 1, value });
      else {
        keptIndexes.add(index);
        nextIndex = index + 1;
      }
    }
    if (keptIndexes.size === 0 && !this.#isReplaceable(node)) return false;
    const removed = new Set([...from.keys()].filter((index) => !keptIndexes.has(index)));
    this.#splices.push(...spliceMembers(this.#lines, node, { removed, inserted }));
    return true;
  }

  #colonOf({ key }: Pick<Pair, "key">): number {
    return this.#lines.text.indexOf(":", (key as Node).range?.[1] ?? 0);
  }

  #replaceEntry({ key, value }: Pair, to: JsonValue, isFlow: boolean): Splice {
    const keyNode = key as Node;
    const colon = this.#colonOf({ key });
    const isEmpty = !isNode(value) || value.range?.[0] === value.range?.[1];
    if (isEmpty) {
      return { start: colon + 1, end: colon + 1, text: this.#textAfterColon(keyNode, to, isFlow) };
    }
    const scalarSplice = this.#replaceScalar(value, to, isFlow);
    if (scalarSplice !== undefined) return scalarSplice;
    const end = this.#endOf(value);
    if (isFlow) return { start: value.range?.[0] ?? 0, end, text: flowText(to) };
    return { start: colon + 1, end, text: this.#textAfterColon(keyNode, to, false) };
  }

  /** The text after the colon of an entry. */
  #textAfterColon(key: Node, value: JsonValue, isFlow: boolean): string {
    if (isFlow) return ` ${flowText(value)}`;
    const name = String(isScalar(key) ? key.value : "");
    const before = stringify({ [name]: null }, { lineWidth: 0 }).length - "null\n".length;
    return entryText(name, value, this.#lines.column(key.range?.[0] ?? 0)).slice(before - 1);
  }

  #replaceItem(node: Node, to: JsonValue, isFlow: boolean): Splice {
    const scalarSplice = this.#replaceScalar(node, to, isFlow);
    if (scalarSplice !== undefined) return scalarSplice;
    const start = node.range?.[0] ?? 0;
    const end = this.#endOf(node);
    if (isFlow) return { start, end, text: flowText(to) };
    const text = itemText(to, this.#lines.column(start) - 2, false).slice(2);
    return { start, end, text: text };
  }

  /** Replaces a scalar on one line, and keeps its quotes. Undefined if the old or the new value needs several lines. */
  #replaceScalar(node: Node, to: JsonValue, isFlow: boolean): Splice | undefined {
    if (!isOnOneLine(node) || !isOneLine(to)) return undefined;
    const [start, end] = node.range ?? [0, 0];
    const isQuoted = node.type !== "PLAIN" && typeof to === "string";
    const text = isFlow && !isQuoted ? flowText(to) : scalarText(to, node.type);
    return { start, end, text };
  }

  /** The end of a value, before the line feed after a block text. */
  #endOf(value: Node): number {
    const end = endOf(value);
    return this.#lines.text[end - 1] === "\n" ? end - 1 : end;
  }
}

const isOnOneLine = (node: unknown): node is Scalar =>
  isScalar(node) && !String(node.type).startsWith("BLOCK_");

const isOneLine = (value: JsonValue): boolean =>
  value === null || (typeof value !== "object" && !String(value).includes("\n"));

const SHARED_TEXT = "shares that text with other places (an anchor or an alias)";

const hasSharedText = (node: unknown): boolean =>
  isAlias(node) || (isNode(node) && "anchor" in node && node.anchor !== undefined);

function hasAnchor(node: Node): boolean {
  let isFound = false;
  visit(node, {
    Node: (_, inner) => {
      isFound ||= hasSharedText(inner);
    },
  });
  return isFound;
}
