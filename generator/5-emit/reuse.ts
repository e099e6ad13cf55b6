import { hash } from "node:crypto";
import { serialize } from "node:v8";
import type { OutputFile } from "../model/output-file.js";
import type { ServerModel } from "../model/server-model.js";

/** The project as the last generation left it, and as it stands now. */
export interface FormerProject {
  /** The text of a file with LF line ends; undefined where there is none. */
  readonly textOf: (path: string) => string | undefined;
  /** Whether the lock says that this text was generated for the path. */
  readonly wasGenerated: (path: string, text: string) => boolean;
}

/** Returns the text of a generated file. It is made only where no former run made it from the same source. */
export interface FileTexts {
  /**
   * @param path The path of the file, from the project's folder.
   * @param source Everything that the text is made from: data, no functions.
   */
  textOf(path: string, source: unknown, make: () => string | Promise<string>): Promise<string>;
}

/** Makes every text anew. */
export const newTexts: FileTexts = {
  textOf: async (_path, _source, make) => make(),
};

/** A file that a former run made, without its text. */
interface MadeFile {
  readonly file: Omit<OutputFile, "content">;
  /** Hash of its source, where the file was made from a source of its own. */
  readonly source?: string | undefined;
  /** Of the text. */
  readonly hash: string;
  /** The generated text, for files that people edit: the disk does not have it any more. */
  readonly text?: string;
}

/** What is kept between runs. */
interface Made {
  /** The version and build of mcpwright that made it: another may make other files from the same source. */
  readonly compiler: string;
  /** Hash of a manifest in which nothing was found. */
  readonly soundManifest?: string;
  /** Hash of everything that the files were made from. */
  readonly source?: string;
  readonly files?: readonly MadeFile[];
}

/**
 * Files that former runs on this machine have made, so that they need not be made again. `plan` asks for all
 * files before it emits any. Where the model has changed, emitting asks for the files of each item. The cache
 * is not trusted: a text counts only if its hash is the one that the lock has for its path.
 */
export class Reuse {
  #made: Made;
  #isChanged = false;

  /**
   * @param compiler The version and build of this mcpwright.
   * @param kept What `toKeep` returned in a former run; anything else is ignored.
   */
  constructor(compiler: string, kept: string | undefined) {
    const made = kept === undefined ? undefined : parsed(kept);
    this.#made = made?.compiler === compiler ? made : { compiler };
  }

  /** The data to keep for the next run; undefined where it is the same as before. */
  toKeep(): string | undefined {
    return this.#isChanged ? JSON.stringify(this.#made) : undefined;
  }

  /** Whether a former run found no problem in a manifest of these bytes. */
  isSound(manifest: Uint8Array): boolean {
    return this.#made.soundManifest === hashOf(manifest);
  }

  keepSound(manifest: Uint8Array): void {
    if (!this.isSound(manifest)) this.#keep({ ...this.#made, soundManifest: hashOf(manifest) });
  }

  /** The files of a model: those of a former run from the same source, or else those that `make` returns. */
  async files(
    source: {
      readonly model: ServerModel;
      readonly manifestPath: string | undefined;
      readonly formerBodies?: unknown;
    },
    former: FormerProject,
    make: (texts: FileTexts) => Promise<readonly OutputFile[]>,
  ): Promise<readonly OutputFile[]> {
    const sourceHash = hashOf(serialize(source));
    const sameFiles = this.#made.source === sourceHash ? this.#made.files : undefined;
    const reused = sameFiles?.map((made) => reusedFile(made, former));
    if (reused?.every((file) => file !== undefined)) return reused;
    const texts = new FormerTexts(this.#made.files ?? [], former);
    const files = await make(texts);
    const made = files.map((file) => ({ ...madeFile(file), source: texts.sourceOf(file.path) }));
    this.#keep({ ...this.#made, source: sourceHash, files: made });
    return files;
  }

  #keep(made: Made): void {
    this.#made = made;
    this.#isChanged = true;
  }
}

/** The texts of files that the last run made from the same sources. */
class FormerTexts implements FileTexts {
  readonly #files: ReadonlyMap<string, MadeFile>;
  readonly #sources = new Map<string, string>();

  constructor(
    files: readonly MadeFile[],
    readonly former: FormerProject,
  ) {
    this.#files = new Map(files.map((made) => [made.file.path, made]));
  }

  async textOf(
    path: string,
    source: unknown,
    make: () => string | Promise<string>,
  ): Promise<string> {
    const sourceHash = hashOf(serialize(source));
    this.#sources.set(path, sourceHash);
    const made = this.#files.get(path);
    const reused = made?.source === sourceHash ? reusedFile(made, this.former) : undefined;
    return reused?.content ?? make();
  }

  /** Hash of the source of a file; undefined where the file has no source of its own. */
  sourceOf(path: string): string | undefined {
    return this.#sources.get(path);
  }
}

function madeFile({ content, ...file }: OutputFile): MadeFile {
  const made = { file, hash: hashOf(content) };
  return file.owner === "generated" ? made : { ...made, text: content };
}

/** Undefined where its text cannot be relied on. */
function reusedFile({ file, ...made }: MadeFile, former: FormerProject): OutputFile | undefined {
  const content = made.text ?? former.textOf(file.path);
  if (content === undefined || hashOf(content) !== made.hash) return undefined;
  return former.wasGenerated(file.path, content) ? ({ ...file, content } as OutputFile) : undefined;
}

function hashOf(content: string | Uint8Array): string {
  return hash("sha256", content, "hex");
}

/** Undefined for data that mcpwright has not written. */
function parsed(text: string): Made | undefined {
  try {
    const made = JSON.parse(text) as Partial<Made> | null;
    const isMade = typeof made?.compiler === "string" && (made.files ?? []).every(isMadeFile);
    return isMade ? (made as Made) : undefined;
  } catch {
    return undefined;
  }
}

function isMadeFile({ file, hash: made }: Partial<MadeFile>): boolean {
  return (
    typeof file?.path === "string" && typeof file.owner === "string" && typeof made === "string"
  );
}
