import { conflictSides, hasConflictMarkers } from "../../6-reconcile/conflict-markers.js";
import { byCodeUnits } from "../../6-reconcile/safe-path.js";
import { block } from "../../6-reconcile/write-lock.js";
import { jsonText } from "../../5-emit/project/json-text.js";
import { isJsonObject, parsedJson, type JsonObject, type JsonValue } from "../../model/json.js";
import { ownValue } from "../../schema/json-schema.js";
import type { ImportedParts } from "../document-import.js";
import { nameOfOperation, type Operation } from "../operations.js";
import { agreedValue, UNKNOWN, type BaseValue } from "./three-way-merge.js";

/** The file beside the manifest that records the last import. */
export const RECORD_PATH = "mcpwright.import.lock.json";

/** The sections of a manifest that are imported in addition to its tools. */
export const SECTIONS = ["env", "upstreams", "schemas"] as const;

/** Imported values by their names, as they were at the last import. */
export type RecordedEntries = ReadonlyMap<string, BaseValue>;

/** The record of the last import from one document. */
export interface RecordedImport {
  /** All operations that the document had: `GET /orders`. */
  readonly operations: ReadonlySet<string>;
  /** The tools by their operations, including tools that the author has deleted since. */
  readonly tools: RecordedEntries;
  readonly env: RecordedEntries;
  readonly upstreams: RecordedEntries;
  readonly schemas: RecordedEntries;
}

/** The records of all imports, by their names in `x-imports`. */
export type ImportRecord = ReadonlyMap<string, RecordedImport>;

/** The record of a first import. */
export function recordOf(
  operations: readonly Operation[],
  { tools, env, upstreams, schemas }: ImportedParts,
): RecordedImport {
  return {
    operations: new Set(operations.map(nameOfOperation)),
    tools: new Map(tools.map(({ operation, tool }) => [nameOfOperation(operation), tool])),
    env: new Map(Object.entries(env)),
    upstreams: new Map(Object.entries(upstreams)),
    schemas: new Map(Object.entries(schemas)),
  };
}

/** The version of the file's format. */
const VERSION = 1;

/**
 * The text of a record. Version control can merge it: entries are sorted, and no line belongs to two entries. Values
 * that are not known are left out.
 */
export function writeRecord(record: ImportRecord): string {
  const imports = sortedEntries(record).map(
    ([name, recorded]) => `${JSON.stringify(name)}: ${importText(recorded)}`,
  );
  const version = `"importLockVersion": ${VERSION}`;
  return `${block("{", "}", "", [version, `"imports": ${block("{", "}", "  ", imports)}`])}\n`;
}

const sortedEntries = <Value>(entries: ReadonlyMap<string, Value>): [string, Value][] =>
  [...entries].sort(([left], [right]) => byCodeUnits(left, right));

function importText({ operations, ...entries }: RecordedImport): string {
  const indentation = " ".repeat(4);
  const inner = indentation + "  ";
  const names = [...operations].sort(byCodeUnits).map((name) => jsonText(name));
  const sections = (["tools", ...SECTIONS] as const).map((section) => {
    const members = sortedEntries(entries[section]).flatMap(([name, value]) =>
      value === undefined || value === UNKNOWN
        ? []
        : [`${jsonText(name)}: ${jsonText(asJson(value), 0, `${inner}  `)}`],
    );
    return `"${section}": ${block("{", "}", inner, members)}`;
  });
  return block("{", "}", indentation, [
    `"operations": ${block("[", "]", inner, names)}`,
    ...sections,
  ]);
}

/** A copy without properties that are not known. */
const asJson = (value: JsonValue): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;

/** Parses a record. If the text has conflict markers, both sides are joined. Undefined if it is no record. */
export function readRecord(text: string): ImportRecord | undefined {
  if (!hasConflictMarkers(text)) return recordFrom(text);
  const [first, second] = conflictSides(text).map(recordFrom);
  if (first === undefined || second === undefined) return undefined;
  const names = new Set([...first.keys(), ...second.keys()]);
  return new Map(
    [...names].map((name) => [name, joinedImports(first.get(name), second.get(name))]),
  );
}

function recordFrom(text: string): ImportRecord | undefined {
  const value = parsedJson(text);
  if (!isJsonObject(value) || value["importLockVersion"] !== VERSION) return undefined;
  const imports = ownValue(value, "imports");
  if (!isJsonObject(imports)) return undefined;
  const entries = Object.entries(imports).filter((entry): entry is [string, JsonObject] =>
    isJsonObject(entry[1]),
  );
  return new Map(entries.map(([name, recorded]) => [name, importFrom(recorded)]));
}

function importFrom(fields: JsonObject): RecordedImport {
  const operations = ownValue(fields, "operations");
  const entriesIn = (key: string): RecordedEntries => {
    const entries = ownValue(fields, key);
    return new Map<string, JsonValue>(isJsonObject(entries) ? Object.entries(entries) : []);
  };
  return {
    operations: new Set(Array.isArray(operations) ? operations.map(String) : []),
    tools: entriesIn("tools"),
    env: entriesIn("env"),
    upstreams: entriesIn("upstreams"),
    schemas: entriesIn("schemas"),
  };
}

/** The joined record of two branches. A value on which they do not agree is unknown. */
function joinedImports(
  first: RecordedImport | undefined,
  second: RecordedImport | undefined,
): RecordedImport {
  const firstImport = first ?? second ?? importFrom({});
  const secondImport = second ?? firstImport;
  const joinSection = (section: "tools" | (typeof SECTIONS)[number]): RecordedEntries => {
    const names = new Set([...firstImport[section].keys(), ...secondImport[section].keys()]);
    return new Map(
      [...names].map((name) => [
        name,
        joinedValue(firstImport[section], secondImport[section], name),
      ]),
    );
  };
  return {
    operations: new Set([...firstImport.operations, ...secondImport.operations]),
    tools: joinSection("tools"),
    env: joinSection("env"),
    upstreams: joinSection("upstreams"),
    schemas: joinSection("schemas"),
  };
}

/** The value of an entry in two records. If only one of them has it, its value, since the other had not imported it yet. */
function joinedValue(first: RecordedEntries, second: RecordedEntries, name: string): BaseValue {
  const left = first.get(name);
  const right = second.get(name);
  return left === undefined || right === undefined ? (left ?? right) : agreedValue(left, right);
}
