import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { ManifestPath } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";

/** In the place of what was last imported: nothing tells what that was. */
export const UNKNOWN: unique symbol = Symbol("unknown");

export type Base = JsonValue | undefined | typeof UNKNOWN;

/** The three values of a field; undefined where it is absent. */
export interface FieldValues {
  /** As it was imported the last time. */
  readonly base: Base;
  /** As the manifest has it. */
  readonly manifest: JsonValue | undefined;
  /** As the document has it now. */
  readonly document: JsonValue | undefined;
}

/** A field that the manifest and the document have both changed. */
export interface FieldConflict extends FieldValues {
  readonly path: ManifestPath;
  /** Why the manifest's text cannot be changed there, where that is the reason. */
  readonly fixed?: string;
}

export interface MergeRules {
  /** Why the text of the manifest's value must stay as it is; undefined where it may become another, or go. */
  readonly fixedAt: (path: ManifestPath, to: JsonValue | undefined) => string | undefined;
}

/** Merges by field what the manifest and the document have made of what was last imported. */
export class ThreeWayMerge {
  readonly conflicts: FieldConflict[] = [];
  readonly #rules: MergeRules;

  constructor(rules: MergeRules) {
    this.#rules = rules;
  }

  /** The value that the manifest is to have; undefined for none. @param path of it in the manifest */
  merge(values: FieldValues, path: ManifestPath): JsonValue | undefined {
    const { base, manifest, document } = values;
    if (isSame(manifest, document) || isSame(base, document)) return manifest;
    if (isJsonObject(manifest) && isJsonObject(document)) {
      if (base === UNKNOWN || isJsonObject(base)) {
        return this.#mergeObjects(base, manifest, document, path);
      }
    }
    if (Array.isArray(base) && Array.isArray(manifest) && Array.isArray(document)) {
      const merged = this.#mergeLists(base, manifest, document, path);
      if (merged !== undefined) return merged;
    }
    if (!isSame(base, manifest)) return this.#keep(values, path);
    const fixed = this.#rules.fixedAt(path, document);
    return fixed === undefined ? document : this.#keep({ ...values, fixed }, path);
  }

  /** Whether the text of an entry of the manifest can be taken away. */
  mayRemove(path: ManifestPath): boolean {
    return this.#rules.fixedAt(path, undefined) === undefined;
  }

  #keep(values: FieldValues & { fixed?: string }, path: ManifestPath): JsonValue | undefined {
    const isAddition = values.base === UNKNOWN && values.document === undefined;
    if (!isAddition) this.conflicts.push({ ...values, path });
    return values.manifest;
  }

  #mergeObjects(
    base: JsonObject | typeof UNKNOWN,
    manifest: JsonObject,
    document: JsonObject,
    path: ManifestPath,
  ): JsonObject {
    const entries = orderedKeys(manifest, document).flatMap((key): [string, JsonValue][] => {
      const values: FieldValues = {
        base: base === UNKNOWN ? UNKNOWN : ownValue(base, key),
        manifest: ownValue(manifest, key),
        document: ownValue(document, key),
      };
      const merged = this.merge(values, [...path, key]);
      return merged === undefined ? [] : [[key, merged]];
    });
    return Object.fromEntries(entries);
  }

  /** Lists of names merge as sets, lists of as many objects item by item; others as one value. */
  #mergeLists(
    base: readonly JsonValue[],
    manifest: readonly JsonValue[],
    document: readonly JsonValue[],
    path: ManifestPath,
  ): JsonValue[] | undefined {
    if (SETS.has(String(path.at(-1)))) {
      const isKept = (item: JsonValue) => document.includes(item) || !base.includes(item);
      const isNew = (item: JsonValue) => !base.includes(item) && !manifest.includes(item);
      const merged = [...manifest.filter(isKept), ...document.filter(isNew)];
      const isAddition = manifest.every(isKept);
      const changed = isAddition ? [...path, manifest.length] : path;
      return this.#rules.fixedAt(changed, merged) === undefined ? merged : undefined;
    }
    const lists = [base, manifest, document];
    const areAlike = lists.every(
      (list) => list.length === manifest.length && list.every(isJsonObject),
    );
    if (!areAlike) return undefined;
    return manifest.map(
      (item, index) =>
        this.merge({ base: base[index], manifest: item, document: document[index] }, [
          ...path,
          index,
        ]) ?? item,
    );
  }
}

/** Keys under which a list says which names there are. */
const SETS: ReadonlySet<string> = new Set(["required", "aliases"]);

/** What two sides both say of a value: where they differ, it is not known. */
export function agreed(left: Base, right: Base): Base {
  if (isSame(left, right)) return left;
  if (!isJsonObject(left) || !isJsonObject(right)) return UNKNOWN;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  const members = [...keys].map((key) => [key, agreed(ownValue(left, key), ownValue(right, key))]);
  return Object.fromEntries(members) as JsonObject;
}

function isSame(left: Base, right: Base): boolean {
  return left === right || isDeepStrictEqual(left, right);
}

/** The keys of the manifest, and those of the document behind the key that they follow there. */
export function orderedKeys(manifest: JsonObject, document: JsonObject): string[] {
  const keys = Object.keys(manifest);
  let previous: string | undefined;
  for (const key of Object.keys(document)) {
    if (!keys.includes(key)) {
      const index = previous === undefined ? keys.length : keys.indexOf(previous) + 1;
      keys.splice(index, 0, key);
    }
    previous = key;
  }
  return keys;
}
