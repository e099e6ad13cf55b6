import { isDeepStrictEqual } from "node:util";
import { joinParts } from "../../1-load/join-parts.js";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../../2-validate/validate.js";
import { withSelectedOutputs } from "../../bodies/selecting-tools.js";
import { importRecordMissing, updateImpossible } from "../../model/catalogue/import-updates.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import type { JsonObject } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import type { ApiDocument } from "../api-document.js";
import {
  DocumentImport,
  leftOut,
  type ImportedParts,
  type ImportOfOperations,
} from "../document-import.js";
import { nameOfOperation, operationsOf, type Operation } from "../operations.js";
import { isNamed, isEmptySelection, selectOperations, type Selection } from "../selection.js";
import { toolNames } from "../tool-names.js";
import { HeldBack, invalidReason } from "./held-back.js";
import { importedItems, toolsOf, type ImportEntry, type ImportedItem } from "./import-entry.js";
import { SECTIONS, type RecordedImport } from "./import-record.js";
import { entriesIn, mergeSections, type Sections } from "./merge-sections.js";
import { mergeTools, nameOfTool, type MergedTool } from "./merge-tools.js";
import { followRenamedRoutes } from "./renamed-routes.js";
import { ThreeWayMerge, type FieldConflict } from "./three-way-merge.js";
import { updateProblems } from "./update-report.js";
import { UpdateEditor } from "./update-editor.js";
import { updatedRecord } from "./updated-record.js";

export interface UpdateOptions {
  readonly entry: ImportEntry;
  /** The document's path, from the manifest's folder. */
  readonly recordedPath: string;
  /** The selection of the command line. */
  readonly selection: Selection;
  /** Whether tools of operations that the document no longer has are removed, and schemas that nothing uses. */
  readonly isPruning: boolean;
}

/** The result of an update. Nothing has been written yet. */
export interface Update {
  /** The manifest and the record after the update. Absent if nothing must be written. */
  readonly written?: { readonly manifest: LoadedManifest; readonly record: RecordedImport };
  /** Names of tools. */
  readonly updated: readonly string[];
  readonly added: readonly string[];
  readonly pruned: readonly string[];
  /** Operations that are new in the document, and not in the manifest. */
  readonly offered: readonly Operation[];
  /** Operations of the document. */
  readonly operations: readonly Operation[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Updates a manifest with the changes of a document that was imported into it before. Pure.
 *
 * @param manifest a valid manifest
 * @param base the record of the last import; undefined if it is not known
 */
export function updateOpenApi(
  document: ApiDocument,
  manifest: LoadedManifest,
  base: RecordedImport | undefined,
  options: UpdateOptions,
): Update {
  return new OpenApiUpdate(document, manifest, base, options).run();
}

interface MergedUpdate {
  readonly tools: readonly MergedTool[];
  readonly sections: Sections;
  readonly conflicts: readonly FieldConflict[];
  readonly manifest: LoadedManifest;
}

/** The record of a document that was never imported. */
const NOTHING_IMPORTED: RecordedImport = {
  operations: new Set(),
  tools: new Map(),
  env: new Map(),
  upstreams: new Map(),
  schemas: new Map(),
};

/** True if operations are chosen of a document from which the manifest has no tool. */
function isFirstImport(
  items: readonly ImportedItem[],
  { entry, selection }: UpdateOptions,
): boolean {
  return items.length === 0 && (entry.select !== undefined || !isEmptySelection(selection));
}

class OpenApiUpdate {
  readonly #document: ApiDocument;
  readonly #manifest: LoadedManifest;
  readonly #base: RecordedImport | undefined;
  /** True if this document is imported for the first time, into a manifest that is there. */
  readonly #isFirst: boolean;
  readonly #options: UpdateOptions;
  readonly #operations: readonly Operation[];
  readonly #operationsByName: ReadonlyMap<string, Operation>;
  readonly #importedItems: readonly ImportedItem[];
  readonly #addedNames: ReadonlySet<string>;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #heldBack: HeldBack;

  constructor(
    document: ApiDocument,
    manifest: LoadedManifest,
    base: RecordedImport | undefined,
    options: UpdateOptions,
  ) {
    const { operations, unreadable } = operationsOf(document);
    this.#document = document;
    this.#manifest = manifest;
    this.#heldBack = new HeldBack(manifest.value);
    this.#options = options;
    this.#operations = operations;
    this.#operationsByName = new Map(
      operations.map((operation) => [nameOfOperation(operation), operation]),
    );
    const items = importedItems(manifest.value, options.entry.name);
    const renamedImport = followRenamedRoutes(operations, items, base);
    this.#importedItems = renamedImport.items;
    this.#isFirst = renamedImport.base === undefined && isFirstImport(items, options);
    this.#base = this.#isFirst ? NOTHING_IMPORTED : renamedImport.base;
    this.#addedNames = new Set(this.#operationsToAdd().map(nameOfOperation));
    this.#diagnostics.push(
      ...unreadable.map(({ name, problem }) => leftOut(document, name, problem)),
    );
  }

  run(): Update {
    const { parts, omitted, diagnostics } = this.#importDocument();
    const heldOperations = [...omitted].filter(([operation]) =>
      this.#isPresent(nameOfOperation(operation)),
    );
    for (const [operation, { reason }] of heldOperations) {
      this.#heldBack.tools.set(nameOfOperation(operation), reason);
    }
    const heldDiagnostics = new Set(heldOperations.map(([, { diagnostic }]) => diagnostic));
    this.#diagnostics.push(...diagnostics.filter((diagnostic) => !heldDiagnostics.has(diagnostic)));
    const name = this.#options.entry.name;
    if (this.#base === undefined) {
      const place = this.#manifest.locate(["x-imports", name], "key");
      this.#diagnostics.push(importRecordMissing(place, { name }));
    }
    const merged = this.#mergeUntilValid(parts);
    return merged === undefined ? this.#withoutResult() : this.#result(parts, merged);
  }

  #withoutResult(): Update {
    const { offered, diagnostics } = { offered: [], diagnostics: this.#diagnostics };
    return {
      ...{ updated: [], added: [], pruned: [], offered, diagnostics },
      operations: this.#operations,
    };
  }

  #result(parts: ImportedParts, merged: MergedUpdate): Update {
    const { tools, sections, manifest } = merged;
    this.#diagnostics.push(
      ...updateProblems({
        ...{
          entry: this.#options.entry,
          document: this.#document,
          operations: this.#operationsByName,
          formerManifest: this.#manifest,
        },
        ...{ items: this.#importedItems, manifest, tools, conflicts: merged.conflicts },
        ...{ added: this.#addedNames, heldBack: this.#heldBack },
      }),
    );
    const kept = new Set(tools.flatMap(({ index }) => (index === undefined ? [] : [index])));
    const pruned = this.#importedItems.filter(({ index }) => !kept.has(index));
    const record = updatedRecord({
      base: this.#base,
      parts,
      sections,
      operations: this.#operations.map(nameOfOperation),
      heldBack: this.#heldBack,
      pruned: new Set(pruned.map(({ at }) => at)),
    });
    const before = toolsOf(this.#manifest.value);
    const isChanged = ({ value, index }: MergedTool): boolean =>
      index !== undefined && !isDeepStrictEqual(value, before[index]);
    return {
      written: { manifest, record },
      updated: tools.filter(isChanged).map(({ value }) => nameOfTool(value)),
      added: tools.filter(({ index }) => index === undefined).map(({ value }) => nameOfTool(value)),
      pruned: pruned.map(({ tool }) => nameOfTool(tool)),
      offered: this.#offered(),
      operations: this.#operations,
      diagnostics: this.#diagnostics,
    };
  }

  #isPresent(name: string): boolean {
    return this.#importedItems.some(({ at }) => at === name);
  }

  /** True if the operation was imported before, even if the author has deleted its tool since. */
  #isTracked(name: string): boolean {
    return this.#isPresent(name) || this.#base?.tools.has(name) === true;
  }

  /** Operations that get a tool in the manifest: the command line or the manifest itself selects them. */
  #operationsToAdd(): Operation[] {
    const { selection, entry } = this.#options;
    const selectedByCommand = isEmptySelection(selection)
      ? []
      : selectOperations(this.#operations, selection);
    const hasSelection = this.#base !== undefined && entry.select !== undefined;
    const selectedByManifest = hasSelection ? selectOperations(this.#operations, entry.select) : [];
    return this.#operations.filter((operation) => {
      const name = nameOfOperation(operation);
      if (this.#isPresent(name)) return false;
      if (this.#isTracked(name)) return isNamed(operation, selection.operations);
      return selectedByCommand.includes(operation) || selectedByManifest.includes(operation);
    });
  }

  /** New operations of the document that nothing selects. */
  #offered(): Operation[] {
    const { operations } = this.#base ?? {};
    if (operations === undefined || this.#isFirst) return [];
    return this.#operations.filter((operation) => {
      const name = nameOfOperation(operation);
      return !operations.has(name) && !this.#isPresent(name) && !this.#addedNames.has(name);
    });
  }

  /** The result of a first import of the same operations. */
  #importDocument(): ImportOfOperations {
    const { entry, recordedPath } = this.#options;
    const { value } = this.#manifest;
    const notImported = (section: (typeof SECTIONS)[number]): string[] =>
      this.#base === undefined
        ? []
        : Object.keys(entriesIn(value, section)).filter((name) => !this.#base?.[section].has(name));
    const reading = new DocumentImport(this.#document, {
      api: entry.name,
      withOutput: entry.withOutput,
      recordedPath,
      takenNames: {
        schemas: notImported("schemas"),
        upstreams: notImported("upstreams"),
        env: notImported("env"),
      },
    });
    const hasName = (names: (name: string) => boolean) => (operation: Operation) =>
      names(nameOfOperation(operation));
    const trackedOperations = this.#operations.filter(hasName((name) => this.#isTracked(name)));
    const addedOperations = this.#operations.filter(
      hasName((name) => this.#addedNames.has(name) && !this.#isTracked(name)),
    );
    const skippedOperations = trackedOperations.filter(
      hasName((name) => !this.#isPresent(name) && !this.#addedNames.has(name)),
    );
    const operations = [...trackedOperations, ...addedOperations];
    return reading.make(operations, this.#names(operations), new Set(skippedOperations));
  }

  #names(operations: readonly Operation[]): Map<Operation, string> {
    const tools = new Map(this.#importedItems.map(({ at, tool }) => [at, tool]));
    const former = operations.flatMap((operation): [Operation, string][] => {
      const name = nameOfOperation(operation);
      const tool = tools.get(name);
      const last = this.#base?.tools.get(name) ?? tool;
      return tool === undefined ? [] : [[operation, nameOfTool(last as JsonObject)]];
    });
    const indexes = new Set(this.#importedItems.map(({ index }) => index));
    const others = toolsOf(this.#manifest.value).filter((_, index) => !indexes.has(index));
    return toolNames(operations, new Map(former), others.map(nameOfTool));
  }

  /** Merges until the manifest is valid. A tool or a schema that would make it invalid stays as it is. */
  #mergeUntilValid(parts: ImportedParts): MergedUpdate | undefined {
    for (;;) {
      const merged = this.#merge(parts);
      if (merged === undefined) return undefined;
      if (merged.manifest === this.#manifest) return merged;
      const problems = validateManifest(withSelectedOutputs(merged.manifest));
      const errors = problems.filter(({ severity }) => severity === "error");
      if (errors.length === 0) return merged;
      if (!errors.some((error) => this.#heldBack.add(error, merged))) {
        return this.#reportImpossible(invalidReason(errors[0], merged));
      }
    }
  }

  #reportImpossible(reason: string): undefined {
    const place = this.#manifest.locate(["x-imports", this.#options.entry.name], "key");
    this.#diagnostics.push(updateImpossible(place, { reason }));
    return undefined;
  }

  #merge(parts: ImportedParts): MergedUpdate | undefined {
    const { value } = this.#manifest;
    const editor = new UpdateEditor(this.#manifest, this.#options.entry.into);
    const merge = new ThreeWayMerge({
      whyUnchangeable: (path, to) => editor.whyUnchangeable(path, to),
    });
    const tools = this.#mergedTools(parts, merge, editor);
    const merged: JsonObject = { ...value, tools: tools.map((tool) => tool.value) };
    const { isPruning } = this.#options;
    const sections = mergeSections({
      ...{ base: this.#base, manifest: value, merged, document: parts, merge, isPruning },
      heldSchemas: this.#heldBack.schemas,
    });
    const expectedManifest = this.#wholeManifest(merged, sections);
    this.#edit(editor, tools, expectedManifest);
    const manifest = this.#load(editor.texts);
    if (manifest === undefined || !isDeepStrictEqual(manifest.value, expectedManifest)) {
      return this.#reportImpossible("its text is written in a way that cannot be changed in place");
    }
    return { tools, sections, conflicts: merge.conflicts, manifest };
  }

  #load(texts: ReadonlyMap<string, string>): LoadedManifest | undefined {
    if (isDeepStrictEqual(texts, this.#manifest.texts)) return this.#manifest;
    const loaded = [...texts].flatMap(
      ([file, text]) => loadManifest(file, Buffer.from(text)).manifest ?? [],
    );
    const [main, ...parts] = loaded;
    if (main === undefined || loaded.length < texts.size) return undefined;
    if (parts.length === 0) return main;
    const { manifest, diagnostics } = joinParts(main, parts);
    return diagnostics.length === 0 ? manifest : undefined;
  }

  /** The whole manifest after the update. A section that it does not have is added only if it has entries. */
  #wholeManifest(merged: JsonObject, sections: Sections): JsonObject {
    const { value } = this.#manifest;
    const { entry, recordedPath } = this.#options;
    const imports = value["x-imports"] as JsonObject;
    const importEntry = imports[entry.name] as JsonObject;
    const whole: JsonObject = {
      ...merged,
      "x-imports": { ...imports, [entry.name]: { ...importEntry, openapi: recordedPath } },
    };
    for (const section of SECTIONS) {
      const entries = sections[section];
      if (section in value || Object.keys(entries).length > 0) whole[section] = entries;
    }
    if (!("tools" in value) && toolsOf(merged).length === 0) delete whole["tools"];
    return whole;
  }

  #mergedTools(
    document: ImportedParts,
    merge: ThreeWayMerge,
    editor: UpdateEditor,
  ): readonly MergedTool[] {
    const tools = mergeTools({
      ...{ base: this.#base, manifest: this.#manifest.value, document, merge },
      ...{ items: this.#importedItems, operations: this.#operations },
      ...{ added: this.#addedNames, heldBack: this.#heldBack.tools },
      isPrunable: (item) => this.#isPrunable(item, editor),
    });
    return editor.inFileOrder(tools);
  }

  #isPrunable({ index, at }: ImportedItem, editor: UpdateEditor): boolean {
    if (!this.#options.isPruning || this.#operationsByName.has(at)) return false;
    return editor.isRemovable(["tools", index]);
  }

  #edit(editor: UpdateEditor, tools: readonly MergedTool[], expectedManifest: JsonObject): void {
    editor.changeTools(tools);
    let after = "x-imports";
    editor.changeOwn("x-imports", expectedManifest["x-imports"], after);
    for (const section of SECTIONS) {
      editor.changeSection(section, expectedManifest[section], after);
      if (section in expectedManifest) after = section;
    }
  }
}
