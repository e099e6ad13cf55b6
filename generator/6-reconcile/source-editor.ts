import type { ItemId } from "../model/output-file.js";
import type { Splice } from "../text/splice.js";
import type { TextRange } from "../text/text-place.js";

/**
 * Reads and edits TypeScript that people wrote. It returns splices, since a file of a person must never be printed
 * from a syntax tree.
 */
export interface SourceEditor {
  /** Why a text cannot be read; undefined if it can. */
  problemIn(path: string, source: string): SyntaxProblem | undefined;
  /** The changes to a file; undefined if the file needs changes but has a syntax error. */
  edit(source: string, task: EditTask): SourceChanges | undefined;
}

/** A reason why a text cannot be read. */
export interface SyntaxProblem {
  /** Message of the parser: "'}' expected". */
  readonly message: string;
  /** Range of the problem; absent if it has none. */
  readonly at?: TextRange;
}

/** Changes to a file. */
export interface SourceChanges {
  /** The splices do not overlap. */
  readonly splices: readonly Splice[];
  /** True if the handler's export was missing and is added. */
  readonly exportAdded: boolean;
}

/** The goal of an edit of a file. */
export interface EditTask extends ChangedNames {
  /** The path to which its relative imports refer. */
  readonly from: string;
  /** Its new path; equal to `from` unless the file moves. */
  readonly to: string;
  /** Only for handlers. */
  readonly handler?: HandlerTask;
}

/** The item and the export of a handler. */
export interface HandlerIdentity {
  readonly item: ItemId;
  /** The constant that the generated registry imports. */
  readonly exportName: string;
}

/** What files of people may name and a run changes. */
export interface ChangedNames {
  /** Modules that get another path, or whose exports get another name. */
  readonly moves: ModuleMoves;
  /** Renamed items, which types name. */
  readonly items: readonly RenamedItem[];
}

/** The ids of an item before and after a rename. */
export interface RenamedItem {
  readonly former: ItemId;
  readonly now: ItemId;
}

/** The goal of an edit of a handler. */
export interface HandlerTask {
  /** The item for which it was generated; equal to `now` unless the item was renamed. */
  readonly former: HandlerIdentity;
  readonly now: HandlerIdentity;
  /** The whole generated file, from which a missing export is taken. */
  readonly stub: string;
}

/** A module that others may import, before and after this run. */
export interface ModuleMove {
  /** Path without extension, or the specifier of an entry of a package. */
  readonly to: string;
  /** True if the contents of the module are in a package now. */
  readonly isPackage?: true;
  /** New names of renamed exports, by their former names. */
  readonly exports: ReadonlyMap<string, string>;
}

/** Moved modules by their former paths, without extension. */
export type ModuleMoves = ReadonlyMap<string, ModuleMove>;

/** The path of a module without extension, however it is imported: `src/tools/a` for `src/tools/a.ts`. */
export function modulePath(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, "");
}
