import { isDeepStrictEqual } from "node:util";
import {
  haveSameJson,
  isJsonObject,
  parsedJson,
  type JsonObject,
  type JsonValue,
} from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { TextRange } from "../text/text-place.js";
import { JsonDocument, type JsonScalar, type KeyPath } from "./json-document.js";

/** A key that both sides changed; the user's value stayed. */
export interface KeyConflict {
  /** `scripts.build` */
  readonly key: string;
  /** Range of the key in the merged text, or of the innermost key around it; undefined if there is none. */
  readonly at: TextRange | undefined;
  /** The user's value; undefined if the user removed the key. */
  readonly theirs: JsonValue | undefined;
  /** The generated value; undefined if the key is no longer generated. */
  readonly ours: JsonValue | undefined;
}

/** The result of merging the generated JSON into the user's file. */
export interface MergedJson {
  /** The user's text with the generated changes. */
  readonly text: string;
  readonly conflicts: readonly KeyConflict[];
}

/**
 * Three-way merge, key by key, into a text that the user owns. Applies the changes from `base` to `ours`, except
 * for keys that the user changed too. A list counts as one value, but items that the user added to it stay
 * when the generated list changes.
 *
 * @param text the user's file, without a byte-order mark
 * @param usersKeys top-level keys that are not changed if the user's file has them
 * @returns `undefined` when `text` is not a JSON object
 */
export function mergeJson(
  base: JsonObject,
  ours: JsonObject,
  text: string,
  usersKeys: readonly string[] = [],
): MergedJson | undefined {
  // The cheap comparison comes first, since node:util loads its own at the first call.
  const isSame = haveSameJson(base, ours) || isDeepStrictEqual(base, ours);
  if (isSame && isPlainJson(text)) return { text, conflicts: [] };
  const document = JsonDocument.parse(text);
  if (document === undefined) return undefined;
  const merge = new KeyMerge(document);
  const theirs = document.value();
  const kept = usersKeys.filter((key) => ownValue(theirs, key) !== undefined);
  const isMerged = ([key]: [string, JsonValue]): boolean => !kept.includes(key);
  const mergedKeys = (side: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(side).filter(isMerged));
  merge.objects([], mergedKeys(base), mergedKeys(ours), theirs);
  const conflicts = merge.conflicts.map(({ path, ...values }) => ({
    ...values,
    key: path.join("."),
    at: merge.document.keyRange(path),
  }));
  return { text: merge.document.text, conflicts };
}

/** True if a text is a JSON object without comments, and not deeply nested. */
function isPlainJson(text: string): boolean {
  if (text.split(/[[{]/, PLAIN_NESTING + 2).length > PLAIN_NESTING + 1) return false;
  return isJsonObject(parsedJson(text));
}

/** Maximum number of opening brackets in such a text, which limits its nesting. */
const PLAIN_NESTING = 50;

class KeyMerge {
  readonly conflicts: (Pick<KeyConflict, "theirs" | "ours"> & { readonly path: KeyPath })[] = [];

  constructor(public document: JsonDocument) {}

  objects(path: KeyPath, base: JsonObject, ours: JsonObject, theirs: JsonObject): void {
    let previous: string | undefined;
    for (const key of new Set([...Object.keys(ours), ...Object.keys(base)])) {
      this.key(
        [...path, key],
        ownValue(base, key),
        ownValue(ours, key),
        ownValue(theirs, key),
        previous,
      );
      if (Object.hasOwn(ours, key)) previous = key;
    }
  }

  private key(
    path: KeyPath,
    base: JsonValue | undefined,
    ours: JsonValue | undefined,
    theirs: JsonValue | undefined,
    previous: string | undefined,
  ): void {
    if (isDeepStrictEqual(base, ours) || isDeepStrictEqual(theirs, ours)) return;
    if (isJsonObject(ours) && isJsonObject(theirs)) {
      this.objects(path, isJsonObject(base) ? base : {}, ours, theirs);
    } else if (!isDeepStrictEqual(base, theirs)) {
      const isAddedTo = isSet(base) && isSet(ours) && isSet(theirs) && isSubset(base, theirs);
      if (isAddedTo) this.list(path, base, ours, theirs);
      else this.conflicts.push({ path, theirs, ours });
    } else if (ours === undefined) {
      this.document = this.document.remove(path);
    } else if (theirs === undefined) {
      this.document = this.document.add(path, ours, previous);
    } else {
      this.document = this.document.replace(path, ours);
    }
  }

  /** Applies changes to a list whose items the user only added to or reordered. */
  private list(
    path: KeyPath,
    base: readonly JsonScalar[],
    ours: readonly JsonScalar[],
    theirs: readonly JsonScalar[],
  ): void {
    for (const item of base) {
      if (!ours.includes(item)) this.document = this.document.removeItem(path, item);
    }
    for (const [index, item] of ours.entries()) {
      if (!theirs.includes(item))
        this.document = this.document.addItem(path, item, ours[index - 1]);
    }
  }
}

/** True for a list of distinct scalars. */
function isSet(value: JsonValue | undefined): value is JsonScalar[] {
  return (
    Array.isArray(value) &&
    value.every((item) => typeof item !== "object" || item === null) &&
    new Set(value).size === value.length
  );
}

function isSubset(part: readonly JsonScalar[], whole: readonly JsonScalar[]): boolean {
  return part.every((item) => whole.includes(item));
}
