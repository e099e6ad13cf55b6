import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { ManifestPath } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";

/** Used instead of the value at the last import if that is not known. */
export const UNKNOWN: unique symbol = Symbol("unknown");

export type BaseValue = JsonValue | undefined | typeof UNKNOWN;

/** The three values of a field. Undefined if the field is absent. */
export interface FieldValues {
  /** The value at the last import. */
  readonly base: BaseValue;
  /** The value in the manifest. */
  readonly manifest: JsonValue | undefined;
  /** The present value in the document. */
  readonly document: JsonValue | undefined;
}

/** A field that the manifest and the document have both changed. */
export interface FieldConflict extends FieldValues {
  readonly path: ManifestPath;
  /** Why the manifest's text cannot be changed there. Absent if it can. */
  readonly whyUnchangeable?: string;
}

export interface MergeRules {
  /** Why the text of a value in the manifest must not be changed or removed. Undefined if it may be. */
  readonly whyUnchangeable: (path: ManifestPath, to: JsonValue | undefined) => string | undefined;
}

/** Merges, field by field, the changes of the manifest and of the document since the last import. */
export class ThreeWayMerge {
  readonly conflicts: FieldConflict[] = [];
  readonly #rules: MergeRules;

  constructor(rules: MergeRules) {
    this.#rules = rules;
  }

  /** The value that the manifest gets. Undefined if the field is removed. @param path its path in the manifest */
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
    if (!isSame(base, manifest)) return this.#keepManifestValue(values, path);
    const reason = this.#rules.whyUnchangeable(path, document);
    return reason === undefined
      ? document
      : this.#keepManifestValue({ ...values, whyUnchangeable: reason }, path);
  }

  /** True if the text of an entry of the manifest can be removed. */
  mayRemove(path: ManifestPath): boolean {
    return this.#rules.whyUnchangeable(path, undefined) === undefined;
  }

  #keepManifestValue(
    values: FieldValues & { whyUnchangeable?: string },
    path: ManifestPath,
  ): JsonValue | undefined {
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

  /** Merges lists of names as sets, and lists with the same number of objects item by item. Undefined for other lists. */
  #mergeLists(
    base: readonly JsonValue[],
    manifest: readonly JsonValue[],
    document: readonly JsonValue[],
    path: ManifestPath,
  ): JsonValue[] | undefined {
    if (SET_KEYS.has(String(path.at(-1)))) {
      const isKept = (item: JsonValue) => document.includes(item) || !base.includes(item);
      const isNew = (item: JsonValue) => !base.includes(item) && !manifest.includes(item);
      const merged = [...manifest.filter(isKept), ...document.filter(isNew)];
      const isAddition = manifest.every(isKept);
      const changedPath = isAddition ? [...path, manifest.length] : path;
      return this.#rules.whyUnchangeable(changedPath, merged) === undefined ? merged : undefined;
    }
    const lists = [base, manifest, document];
    const haveSameShape = lists.every(
      (list) => list.length === manifest.length && list.every(isJsonObject),
    );
    if (!haveSameShape) return undefined;
    return manifest.map(
      (item, index) =>
        this.merge({ base: base[index], manifest: item, document: document[index] }, [
          ...path,
          index,
        ]) ?? item,
    );
  }
}

/** Keys of lists of names, whose order has no meaning. */
const SET_KEYS: ReadonlySet<string> = new Set(["required", "aliases"]);

/** The value that two records agree on. Parts that differ are unknown. */
export function agreedValue(left: BaseValue, right: BaseValue): BaseValue {
  if (isSame(left, right)) return left;
  if (!isJsonObject(left) || !isJsonObject(right)) return UNKNOWN;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  const members = [...keys].map((key) => [
    key,
    agreedValue(ownValue(left, key), ownValue(right, key)),
  ]);
  return Object.fromEntries(members) as JsonObject;
}

function isSame(left: BaseValue, right: BaseValue): boolean {
  return left === right || isDeepStrictEqual(left, right);
}

/** The keys of the manifest and of the document. A key of the document follows the same key as there. */
function orderedKeys(manifest: JsonObject, document: JsonObject): string[] {
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
