/**
 * What 5-emit hands to 6-reconcile: the whole project in memory, each file with the class that
 * says who owns it (design: regeneration). Paths are relative to the output folder, with `/`.
 */
export type OutputFile = GeneratedFile | HandlerFile | StarterTestFile | ScaffoldFile | MergedFile;

interface FileBase {
  readonly path: string;
  /** UTF-8 text, LF line ends, final newline. */
  readonly content: string;
}

/** Identity of a manifest item across runs: `tool:get_forecast`. */
export type ItemId = `${"tool" | "resource" | "resourceTemplate" | "prompt" | CodeKind}:${string}`;

/** What is written for an item beside its handler. */
export type CodeKind = "promptCompletion" | "resourceTemplateCompletion" | "resourceTemplateList";

/** The kinds of code that an item of each kind may have. */
export const codeKindsOf: Readonly<Record<string, readonly CodeKind[]>> = {
  prompt: ["promptCompletion"],
  resourceTemplate: ["resourceTemplateCompletion", "resourceTemplateList"],
};

/** G: rewritten at each run. */
export interface GeneratedFile extends FileBase {
  readonly owner: "generated";
}

/** H: a stub until its first edit, then the user's. */
export interface HandlerFile extends FileBase {
  readonly owner: "handler";
  readonly item: ItemId;
  /** The constant that the generated registry imports from it. */
  readonly exportName: string;
  /** The stub that nobody gets, since `content` is code that is a person's from the start. */
  readonly stub?: string;
}

/** H: the starter test of a handler; moves with it. */
export interface StarterTestFile extends FileBase {
  readonly owner: "starter-test";
  readonly item: ItemId;
}

/** S: made once, never touched again. */
export interface ScaffoldFile extends FileBase {
  readonly owner: "scaffold";
}

/** M: merged key by key (`json`), or by adding lines (`env`). */
export interface MergedFile extends FileBase {
  readonly owner: "merged";
  readonly format: "json" | "env";
  /** Keys at the top of a JSON file that are the user's: added where there are none, and then left alone. */
  readonly usersKeys?: readonly string[];
}

export type FileOwner = OutputFile["owner"];
