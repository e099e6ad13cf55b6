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

/** A file that was made before, without its text. */
interface MadeFile {
  readonly file: Omit<OutputFile, "content">;
  /** Of the text. */
  readonly hash: string;
  /** The text of files that people change, so that it is not on the disk any more. */
  readonly text?: string;
}

/** What is kept between runs. */
interface Made {
  /** Which mcpwright made it: another one makes other files from the same. */
  readonly compiler: string;
  /** Hash of a manifest in which nothing was found. */
  readonly soundManifest?: string;
  /** Hash of all that the files were made from. */
  readonly source?: string;
  readonly files?: readonly MadeFile[];
}

/**
 * What former runs of this machine have made and need not be made again. No phase asks it: `plan` asks it for
 * all files before it emits any. Nothing in it is trusted: a text counts only if it is what the lock says was
 * generated for its path.
 */
export class Reuse {
  #made: Made;
  #isChanged = false;

  /**
   * @param compiler tells this mcpwright from all others
   * @param kept what `toKeep` gave to a former run; anything else is ignored
   */
  constructor(compiler: string, kept: string | undefined) {
    const made = kept === undefined ? undefined : parsed(kept);
    this.#made = made?.compiler === compiler ? made : { compiler };
  }

  /** What the next run is to get; undefined where that is the same as before. */
  toKeep(): string | undefined {
    return this.#isChanged ? JSON.stringify(this.#made) : undefined;
  }

  /** Whether nothing was found in a manifest of these bytes. */
  isSound(manifest: Uint8Array): boolean {
    return this.#made.soundManifest === hashOf(manifest);
  }

  keepSound(manifest: Uint8Array): void {
    if (!this.isSound(manifest)) this.#keep({ ...this.#made, soundManifest: hashOf(manifest) });
  }

  /** The files of a model: those that were made from the same before, else those that `make` makes. */
  async files(
    source: { readonly model: ServerModel; readonly manifestPath: string | undefined },
    former: FormerProject,
    make: () => Promise<readonly OutputFile[]>,
  ): Promise<readonly OutputFile[]> {
    const sourceHash = hashOf(serialize(source));
    const known = this.#made.source === sourceHash ? this.#made.files : undefined;
    const reused = known?.map((made) => reusedFile(made, former));
    if (reused?.every((file) => file !== undefined)) return reused;
    const files = await make();
    this.#keep({ ...this.#made, source: sourceHash, files: files.map(madeFile) });
    return files;
  }

  #keep(made: Made): void {
    this.#made = made;
    this.#isChanged = true;
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

/** Undefined for what no mcpwright has written. */
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
