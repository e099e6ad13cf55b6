import { nameOfOperation } from "../operations.js";
import type { ImportedParts } from "../document-import.js";
import type { HeldBack } from "./held-back.js";
import type { RecordedEntries, RecordedImport } from "./import-record.js";
import type { SectionName, Sections } from "./merge-sections.js";
import type { BaseValue } from "./three-way-merge.js";

export interface RecordUpdate {
  readonly base: RecordedImport | undefined;
  /** The parts imported from the present document. */
  readonly parts: ImportedParts;
  /** The sections of the manifest after the update. */
  readonly sections: Sections;
  /** All operations of the document. */
  readonly operations: readonly string[];
  /** What was not updated. */
  readonly heldBack: Pick<HeldBack, "tools" | "schemas">;
  /** Operations whose tools were removed. */
  readonly pruned: ReadonlySet<string>;
}

/** The record after an update. Deleted tools stay in it, so that the next update does not add them again. */
export function updatedRecord(update: RecordUpdate): RecordedImport {
  const { base, parts, heldBack, pruned, operations } = update;
  const tools = new Map<string, BaseValue>(base?.tools);
  for (const { operation, tool } of parts.tools) {
    const name = nameOfOperation(operation);
    if (!heldBack.tools.has(name)) tools.set(name, tool);
  }
  for (const name of pruned) tools.delete(name);
  return {
    operations: new Set(operations),
    tools,
    env: sectionRecord("env", update),
    upstreams: sectionRecord("upstreams", update),
    schemas: sectionRecord("schemas", update),
  };
}

function sectionRecord(
  section: SectionName,
  { base, parts, sections, heldBack }: RecordUpdate,
): RecordedEntries {
  const entries = new Map<string, BaseValue>(base?.[section]);
  for (const name of entries.keys()) {
    if (!Object.hasOwn(sections[section], name)) entries.delete(name);
  }
  for (const [name, value] of Object.entries(parts[section])) {
    if (section !== "schemas" || !heldBack.schemas.has(name)) entries.set(name, value);
  }
  return entries;
}
