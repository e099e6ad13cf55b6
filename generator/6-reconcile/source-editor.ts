import type { ItemId } from "../model/output-file.js";
import type { Splice } from "../text/splice.js";
import type { TextRange } from "../text/text-place.js";

/**
 * Reads and edits the TypeScript of people. It returns splices: a file that a person wrote is never printed
 * from a syntax tree.
 */
export interface SourceEditor {
  /** Why a text cannot be read; `undefined` for one that can. */
  problemIn(path: string, source: string): SyntaxProblem | undefined;
  /** The changes to one file of a person; `undefined` for a text with a syntax error that would need some. */
  edit(source: string, task: EditTask): SourceChanges | undefined;
}

export interface SyntaxProblem {
  /** In the parser's words: "'}' expected". */
  readonly says: string;
  /** Absent where it is not in one place. */
  readonly at?: TextRange;
}

export interface SourceChanges {
  /** They do not overlap. */
  readonly splices: readonly Splice[];
  /** The handler's export was missing and is added. */
  readonly exportAdded: boolean;
}

/** The goal of an edit of a file. */
export interface EditTask {
  /** The path for which the text was written: its relative imports start there. */
  readonly from: string;
  /** Its new path; the same unless it moves. */
  readonly to: string;
  /** What its imports may name. */
  readonly moves: ModuleMoves;
  /** Only of handlers. */
  readonly handler?: HandlerTask;
}

/** What a handler is for. */
export interface HandlerIdentity {
  readonly item: ItemId;
  /** The constant that the generated registry imports. */
  readonly exportName: string;
}

export interface HandlerTask {
  /** The item that it was generated for; the same as `now` unless the item was renamed. */
  readonly former: HandlerIdentity;
  readonly now: HandlerIdentity;
  /** The whole generated file, from which a missing export is taken. */
  readonly stub: string;
}

/** A handler or starter test that others may import, before and after this run. */
export interface ModuleMove {
  /** Path without extension. */
  readonly to: string;
  /** Former name of its export → the new one, where it has another. */
  readonly exports: ReadonlyMap<string, string>;
}

/** By former path without extension. */
export type ModuleMoves = ReadonlyMap<string, ModuleMove>;

/** The path by which other modules import a file: `src/tools/a.ts`, imported as `./a.js`, is `src/tools/a`. */
export function modulePath(path: string): string {
  return path.replace(/\.[cm]?[jt]sx?$/, "");
}
