import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import type { ImportedParts } from "../document-import.js";
import { SECTIONS, type RecordedImport } from "./import-record.js";
import {
  UNKNOWN,
  type BaseValue,
  type FieldValues,
  type ThreeWayMerge,
} from "./three-way-merge.js";

export type SectionName = (typeof SECTIONS)[number];
export type Sections = Readonly<Record<SectionName, JsonObject>>;

/** The values that the merge of `env`, `upstreams` and `schemas` needs. */
export interface SectionsMerge {
  readonly base: RecordedImport | undefined;
  /** The manifest before the update. */
  readonly manifest: JsonObject;
  /** The manifest with its tools after the update. */
  readonly merged: JsonObject;
  readonly document: ImportedParts;
  readonly merge: ThreeWayMerge;
  readonly isPruning: boolean;
  /** Schemas that stay as they are, by name. */
  readonly heldSchemas: ReadonlyMap<string, unknown>;
}

export function mergeSections(sections: SectionsMerge): Sections {
  const { manifest, merged } = sections;
  let updatedManifest = merged;
  const result: Partial<Record<SectionName, JsonObject>> = {};
  // Each section is used only by the sections before it in this list, and by tools.
  for (const name of ["schemas", "upstreams", "env"] as const) {
    result[name] = mergeSection(name, manifest, updatedManifest, sections);
    updatedManifest = { ...updatedManifest, [name]: result[name] };
  }
  const { env = {}, upstreams = {}, schemas = {} } = result;
  return { env, upstreams, schemas };
}

function mergeSection(
  section: SectionName,
  before: JsonObject,
  after: JsonObject,
  { base, document, merge, isPruning, heldSchemas }: SectionsMerge,
): JsonObject {
  const isHeld = (name: string): boolean => section === "schemas" && heldSchemas.has(name);
  const entries = entriesIn(before, section);
  const documentEntries = document[section];
  const merged = Object.entries(entries).map(([name, value]): [string, JsonValue] => {
    const documentValue = ownValue(documentEntries, name);
    if (documentValue === undefined || isHeld(name)) return [name, value];
    const baseValue: BaseValue = base === undefined ? UNKNOWN : base[section].get(name);
    const values: FieldValues = { base: baseValue, manifest: value, document: documentValue };
    return [name, merge.merge(values, [section, name]) ?? value];
  });
  const usedBefore = usedEntries(section, before, entries);
  const usedAfter = usedEntries(section, after, {
    ...documentEntries,
    ...Object.fromEntries(merged),
  });
  const isGone = (name: string): boolean =>
    !Object.hasOwn(documentEntries, name) && usedBefore.has(name);
  const isRemovable = (name: string, value: JsonValue): boolean =>
    (section === "schemas" ? isPruning || isGone(name) : isPruning && isGone(name)) &&
    !usedAfter.has(name) &&
    [base?.[section].get(name), ownValue(documentEntries, name)].some((imported) =>
      isDeepStrictEqual(imported, value),
    ) &&
    merge.mayRemove([section, name]);
  const keptEntries = stayingEntries(section, merged, isRemovable);
  const isNew = ([name]: [string, JsonValue]) =>
    usedAfter.has(name) && !Object.hasOwn(entries, name);
  return Object.fromEntries([...keptEntries, ...Object.entries(documentEntries).filter(isNew)]);
}

/** The entries that cannot be removed, and those that they use. */
function stayingEntries(
  section: SectionName,
  entries: readonly (readonly [string, JsonValue])[],
  isRemovable: (name: string, value: JsonValue) => boolean,
): readonly (readonly [string, JsonValue])[] {
  const removable = new Set(entries.flatMap((entry) => (isRemovable(...entry) ? entry[0] : [])));
  const others = entries.filter(([name]) => !removable.has(name));
  const used = entriesUsedBy(section, Object.fromEntries(others), Object.fromEntries(entries));
  return entries.filter(([name]) => !removable.has(name) || used.has(name));
}

export function entriesIn(manifest: JsonObject, section: SectionName): JsonObject {
  const entries = ownValue(manifest, section);
  return isJsonObject(entries) ? entries : {};
}

/** The names of the entries of a section that the other parts of a manifest use, directly or through other entries. */
function usedEntries(
  section: SectionName,
  manifest: JsonObject,
  candidates: JsonObject,
): Set<string> {
  const { [section]: _, ...otherParts } = manifest;
  return entriesUsedBy(section, otherParts, candidates);
}

/** The names of the entries of a section that a part of a manifest uses, directly or through other entries. */
export function entriesUsedBy(
  section: SectionName,
  part: JsonValue,
  candidates: JsonObject,
): Set<string> {
  const names = new Set<string>();
  const pending: JsonValue[] = [part];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    const text = JSON.stringify(value);
    for (const [, name = ""] of text.matchAll(USE_PATTERNS[section])) {
      const entry = ownValue(candidates, name);
      if (names.has(name) || entry === undefined) continue;
      names.add(name);
      pending.push(entry);
    }
  }
  return names;
}

const USE_PATTERNS: Readonly<Record<SectionName, RegExp>> = {
  schemas: /"\$ref":"#\/schemas\/([^"/]+)/g,
  upstreams: /"upstream":"([^"]+)"/g,
  env: /"env":"([^"]+)"/g,
};
