import { onceForEach } from "./once-for-each.js";

/**
 * One file of the project that 5-emit makes in memory and 6-reconcile compares with the disk. `owner` says who
 * may change the file. Paths are relative to the output folder and use `/`.
 */
export type OutputFile = GeneratedFile | HandlerFile | StarterTestFile | ScaffoldFile | MergedFile;

interface FileBase {
  readonly path: string;
  /** UTF-8 text, LF line ends, final newline. */
  readonly content: string;
}

/**
 * Identity across runs of what people write code for: a manifest item, `tool:get_forecast`, or the project's own
 * transport, `customTransport:unix-socket`.
 */
export type ItemId =
  `${"tool" | "resource" | "resourceTemplate" | "prompt" | CodeKind | "customTransport"}:${string}`;

/** True for the id of the project's own transport. */
export function isCustomTransport(item: ItemId | undefined): boolean {
  return item?.startsWith("customTransport:") ?? false;
}

/** Kinds of code that a person can write for an item in addition to its handler. */
export type CodeKind = "promptCompletion" | "resourceTemplateCompletion" | "resourceTemplateList";

/** The kinds of code that an item of each kind may have. */
export const codeKindsOf: Readonly<Record<string, readonly CodeKind[]>> = {
  prompt: ["promptCompletion"],
  resourceTemplate: ["resourceTemplateCompletion", "resourceTemplateList"],
};

/** The kind of code, or of item, and the name of the item that an id is made of. */
export function partsOfId(id: ItemId): { readonly kind: string; readonly name: string } {
  const colon = id.indexOf(":");
  return { kind: id.slice(0, colon), name: id.slice(colon + 1) };
}

/** A file that mcpwright owns and writes again on each run. */
export interface GeneratedFile extends FileBase {
  readonly owner: "generated";
  /** Present if the file is no text: `content` has its bytes in this form. */
  readonly encoding?: "base64";
  /** When what it was built from was committed, in UTC, if that tells an older build from a newer one. */
  readonly sourceDate?: string;
}

/**
 * A handler, or the project's own transport. mcpwright updates the stub until a person edits it; from then on the file
 * belongs to that person.
 */
export interface HandlerFile extends FileBase {
  readonly owner: "handler";
  readonly item: ItemId;
  /** The constant that generated code imports from this file. */
  readonly exportName: string;
  /**
   * The stub, if `content` is not a stub but working code that belongs to a person from the start. The stub is
   * then never written.
   */
  readonly stub?: string;
}

/** The starter test of a handler. It moves together with its handler. */
export interface StarterTestFile extends FileBase {
  readonly owner: "starter-test";
  readonly item: ItemId;
}

/** A file that mcpwright creates once and never changes afterwards. */
export interface ScaffoldFile extends FileBase {
  readonly owner: "scaffold";
}

/**
 * A file that mcpwright and the user share: it is merged key by key (`json`) or line by line (`text`), or lines are
 * added (`env`).
 */
export interface MergedFile extends FileBase {
  readonly owner: "merged";
  readonly format: "json" | "env" | "text";
  /** Top-level keys of a JSON file that belong to the user: mcpwright adds a missing key and never changes one. */
  readonly usersKeys?: readonly string[];
  /** True for a text that people have before they have a server: one that is there already is theirs, without a word. */
  readonly mayPrecede?: boolean;
}

/** The bytes of a file, as they are hashed and written. */
export const bytesOf = onceForEach((file: OutputFile): Buffer =>
  Buffer.from(file.content, file.owner === "generated" ? file.encoding : undefined),
);

export type FileOwner = OutputFile["owner"];
