import type { Place } from "../../model/place.js";
import {
  importConflict,
  operationGone,
  schemaHeldBack,
  selectionOutdated,
  updateHeldBack,
} from "../../model/catalogue/import-updates.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonValue } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { excerpt } from "../../text/excerpt.js";
import { valueAtPath, type ApiDocument } from "../api-document.js";
import type { Operation } from "../operations.js";
import { SelectableNames, wordFor } from "../unknown-names.js";
import type { HeldBack } from "./held-back.js";
import { toolsOf, type ImportEntry, type ImportedItem } from "./import-entry.js";
import { nameOfTool, type MergedTool } from "./merge-tools.js";
import { UNKNOWN, type FieldConflict } from "./three-way-merge.js";

/** The parts of an update that are needed to report its problems. */
export interface ReportedUpdate {
  readonly entry: ImportEntry;
  readonly document: ApiDocument;
  readonly operations: ReadonlyMap<string, Operation>;
  /** The manifest before the update, and the tools in it that were imported. */
  readonly formerManifest: LoadedManifest;
  readonly items: readonly ImportedItem[];
  /** The manifest after it. */
  readonly manifest: LoadedManifest;
  readonly tools: readonly MergedTool[];
  readonly conflicts: readonly FieldConflict[];
  /** The operations that should get new tools. */
  readonly added: ReadonlySet<string>;
  /** What stays as it is, with the reasons. */
  readonly heldBack: Pick<HeldBack, "tools" | "schemas">;
}

/**
 * Reports conflicts, operations and names that the document no longer has, and operations and schemas that could not be
 * updated or added.
 */
export function updateProblems(update: ReportedUpdate): Diagnostic[] {
  return [
    ...conflictProblems(update),
    ...itemProblems(update),
    ...unaddedProblems(update),
    ...schemaProblems(update),
    ...selectionProblems(update),
  ];
}

/** The place in the new manifest of a path in the former manifest. */
function placeOf({ tools, manifest }: ReportedUpdate, path: ManifestPath): Place {
  const [section, index, ...innerPath] = path;
  if (section !== "tools") return manifest.locate(path, "value");
  const presentIndex = tools.findIndex((tool) => tool.index === index);
  return manifest.locate([section, presentIndex, ...innerPath], "value");
}

function conflictProblems(update: ReportedUpdate): Diagnostic[] {
  return update.conflicts.map(({ path, base, document, whyUnchangeable }) => {
    const baseText = base === UNKNOWN ? "not known" : shownValue(base);
    const field = fieldName(update.formerManifest, path);
    const parameters = { field, document: shownValue(document), former: baseText };
    return importConflict(placeOf(update, path), {
      ...parameters,
      ...(whyUnchangeable !== undefined && { fixed: whyUnchangeable }),
    });
  });
}

function itemProblems(update: ReportedUpdate): Diagnostic[] {
  const { items, tools, operations, heldBack } = update;
  return items.flatMap(({ at, index, tool }) => {
    if (!tools.some((merged) => merged.index === index)) return [];
    const parameters = { operation: at, tool: nameOfTool(tool) };
    const place = placeOf(update, ["tools", index, "x-import", "at"]);
    const reason = heldBack.tools.get(at);
    if (!operations.has(at)) return [operationGone(place, parameters)];
    return reason === undefined ? [] : [updateHeldBack(place, { ...parameters, reason })];
  });
}

/** The problems of operations that should be added and cannot be. */
function unaddedProblems({ heldBack, operations, added, document }: ReportedUpdate): Diagnostic[] {
  return [...heldBack.tools].flatMap(([name, reason]) => {
    const operation = operations.get(name);
    if (operation === undefined || !added.has(name)) return [];
    const place = document.locate(operation.path);
    return [updateHeldBack(place, { operation: name, tool: name, reason })];
  });
}

function schemaProblems({ heldBack, manifest }: ReportedUpdate): Diagnostic[] {
  return [...heldBack.schemas].map(([schema, reason]) =>
    schemaHeldBack(manifest.locate(["schemas", schema], "key"), { schema, reason }),
  );
}

/** The names of a manifest's selection that the document does not have. */
function selectionProblems({ entry, document, manifest }: ReportedUpdate): Diagnostic[] {
  const { select } = entry;
  if (select === undefined) return [];
  const names = new SelectableNames();
  names.add(document);
  return names.unknownIn(select).map(({ kind, name, nearest }) => {
    const list = ["x-imports", entry.name, "select", kind];
    const named = valueAtPath(manifest.value, list);
    const path = Array.isArray(named) ? [...list, named.indexOf(name)] : list;
    const parameters = { what: wordFor(kind), name, nearest };
    return selectionOutdated(manifest.locate(path, "value"), parameters);
  });
}

/** `tools.getPet.description` */
function fieldName(manifest: LoadedManifest, path: ManifestPath): string {
  const [section, index, ...innerPath] = path;
  const tool = section === "tools" ? toolsOf(manifest.value)[Number(index)] : undefined;
  return tool === undefined ? path.join(".") : ["tools", nameOfTool(tool), ...innerPath].join(".");
}

const shownValue = (value: JsonValue | undefined): string =>
  value === undefined ? "absent" : excerpt(JSON.stringify(value), 120);
