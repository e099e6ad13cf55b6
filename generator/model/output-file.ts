/**
 * What 5-emit hands to 6-reconcile: the whole project in memory, each file with the class that
 * says who owns it (design: regeneration). Paths are relative to the output folder, with `/`.
 */
export type OutputFile = GeneratedFile | HandlerFile | StarterTestFile | ScaffoldFile | MergedFile;

interface FileBase {
  readonly path: string;
  /**
   * UTF-8 text, LF line ends, final newline. Asking throws a {@link ContentNeeded} where it has not been
   * made yet, since it is hardly ever asked for: so only with a hash.
   */
  readonly content: string;
  /** The content in UTF-8, where it was put together so. */
  readonly bytes?: Uint8Array;
  /** SHA-256 of the content, in hex, where that is known without making it. */
  readonly hash?: string;
}

/** Says that the content of a file has to be made before it can be asked for. */
export class ContentNeeded extends Error {
  constructor(readonly make: () => Promise<void>) {
    super("the content of a file has not been made");
  }
}

/**
 * Contents of files that are made when the first of them is needed: all of them then, since planning
 * begins anew each time.
 */
export class LaterContents {
  readonly #contents: LaterContent[] = [];

  /** The file, without its content for now. */
  add<File extends object>(
    file: File,
    hash: string,
    make: () => string | Promise<string>,
  ): File & Pick<FileBase, "content" | "hash"> {
    const contents = this.#contents;
    const later = new LaterContent(contents, hash, make);
    contents.push(later);
    return Object.assign(later, file);
  }
}

/** A class, of which thousands are made in less time than of objects with a getter each. */
class LaterContent {
  readonly #contents: readonly LaterContent[];
  readonly #make: () => string | Promise<string>;
  #made: string | undefined;
  readonly hash: string;

  constructor(
    contents: readonly LaterContent[],
    hash: string,
    make: () => string | Promise<string>,
  ) {
    this.#contents = contents;
    this.#make = make;
    this.hash = hash;
  }

  get content(): string {
    if (this.#made === undefined) throw new ContentNeeded(() => makeAll(this.#contents));
    return this.#made;
  }

  async make(): Promise<void> {
    this.#made ??= await this.#make();
  }
}

async function makeAll(contents: readonly LaterContent[]): Promise<void> {
  for (const later of contents) await later.make();
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
