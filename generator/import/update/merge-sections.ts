import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import type { ImportedParts } from "../document-import.js";
import { SECTIONS, type RecordedImport } from "./import-record.js";
import { UNKNOWN, type Base, type FieldValues, type ThreeWayMerge } from "./three-way-merge.js";

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
}

export function mergeSections(sections: SectionsMerge): Sections {
  const { manifest, merged } = sections;
  let rest = merged;
  const result: Partial<Record<SectionName, JsonObject>> = {};
  // Each section is used only by the sections before it in this list, and by tools.
  for (const name of ["schemas", "upstreams", "env"] as const) {
    result[name] = mergeSection(name, manifest, rest, sections);
    rest = { ...rest, [name]: result[name] };
  }
  const { env = {}, upstreams = {}, schemas = {} } = result;
  return { env, upstreams, schemas };
}

function mergeSection(
  section: SectionName,
  before: JsonObject,
  after: JsonObject,
  { base, document, merge, isPruning }: SectionsMerge,
): JsonObject {
  const entries = entriesIn(before, section);
  const found = document[section];
  const merged = Object.entries(entries).map(([name, value]): [string, JsonValue] => {
    const now = ownValue(found, name);
    if (now === undefined) return [name, value];
    const known: Base = base === undefined ? UNKNOWN : base[section].get(name);
    const values: FieldValues = { base: known, manifest: value, document: now };
    return [name, merge.merge(values, [section, name]) ?? value];
  });
  const neededBefore = mentioned(section, before, entries);
  const needed = mentioned(section, after, { ...found, ...Object.fromEntries(merged) });
  const mayGo = (name: string, value: JsonValue): boolean =>
    (section === "schemas" || isPruning) &&
    !Object.hasOwn(found, name) &&
    neededBefore.has(name) &&
    !needed.has(name) &&
    isDeepStrictEqual(base?.[section].get(name), value) &&
    merge.mayRemove([section, name]);
  const kept = merged.filter(([name, value]) => !mayGo(name, value));
  const isNew = ([name]: [string, JsonValue]) => needed.has(name) && !Object.hasOwn(entries, name);
  return Object.fromEntries([...kept, ...Object.entries(found).filter(isNew)]);
}

export function entriesIn(manifest: JsonObject, section: SectionName): JsonObject {
  const entries = ownValue(manifest, section);
  return isJsonObject(entries) ? entries : {};
}

/** The names of the entries of a section that the other parts of a manifest use, directly or through other entries. */
function mentioned(
  section: SectionName,
  manifest: JsonObject,
  candidates: JsonObject,
): Set<string> {
  const { [section]: _, ...rest } = manifest;
  const names = new Set<string>();
  const open: JsonValue[] = [rest];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    const text = JSON.stringify(value);
    for (const [, name = ""] of text.matchAll(MENTIONS[section])) {
      const entry = ownValue(candidates, name);
      if (names.has(name) || entry === undefined) continue;
      names.add(name);
      open.push(entry);
    }
  }
  return names;
}

const MENTIONS: Readonly<Record<SectionName, RegExp>> = {
  schemas: /"\$ref":"#\/schemas\/([^"/]+)/g,
  upstreams: /"upstream":"([^"]+)"/g,
  env: /"env":"([^"]+)"/g,
};
