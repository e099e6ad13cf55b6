import { hash } from "node:crypto";
import { serialize } from "node:v8";
import type { OutputFile } from "../model/output-file.js";
import type { ServerModel } from "../model/server-model.js";

/** The project on the disk, and its lock. */
export interface FormerProject {
  /** The text of a file with LF line ends; undefined if there is no such file. */
  readonly textOf: (path: string) => string | undefined;
  /** True if the lock says that this text was generated for the path. */
  readonly wasGenerated: (path: string, text: string) => boolean;
  /** True if the lock says that exactly these files were generated from the same manifest. */
  readonly isWhole: (files: readonly Pick<OutputFile, "path" | "owner">[]) => boolean;
}

/** Supplies texts of generated files, and reuses those that a former run made from the same source. */
export interface FileTexts {
  /**
   * The text of a file. Calls `make` only if no former run made the text from an equal source.
   *
   * @param path path of the file, relative to the project
   * @param source all data from which the text is made; it must have no functions
   */
  textOf(path: string, source: unknown, make: () => string | Promise<string>): Promise<string>;
}

/** Makes every text anew. */
export const newTexts: FileTexts = {
  textOf: async (_path, _source, make) => make(),
};

/** The record of a file that a former run made. */
interface FileRecord {
  readonly file: Omit<OutputFile, "content">;
  /** Hash of the source of this file alone, if `textOf` was called for it. */
  readonly source?: string | undefined;
  /** Hash of the text. */
  readonly hash: string;
  /** The generated text, for files that people edit, since the disk may no longer have it. */
  readonly text?: string;
}

/** The data that is kept between runs. */
interface RunRecord {
  /** The version and build of mcpwright. Another one may make different files from the same source. */
  readonly compiler: string;
  /** Hash of the source of all files together. */
  readonly source?: string;
  readonly files?: readonly FileRecord[];
}

/**
 * Reuses files that former runs on this machine have made. `plan` first asks for all files together. If the model
 * has changed, emitters ask for single files. The cache is not trusted, since others may write it: a text is reused
 * only if the lock has its hash for that path, and all files together only if the lock has the same manifest and files.
 * It can say of a file that it need not be made again; whether a manifest is valid does not depend on it.
 */
export class Reuse {
  #record: RunRecord;
  #isChanged = false;

  /**
   * @param compiler version and build of this mcpwright
   * @param stored text that `toKeep` returned in a former run; anything else is ignored
   */
  constructor(compiler: string, stored: string | undefined) {
    const record = stored === undefined ? undefined : parsed(stored);
    this.#record = record?.compiler === compiler ? record : { compiler };
  }

  /** The text to store for the next run; undefined if it has not changed. */
  toKeep(): string | undefined {
    return this.#isChanged ? JSON.stringify(this.#record) : undefined;
  }

  /** The files of a model: those of a former run with an equal source, or else the ones that `make` returns. */
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
    const { files: records = [], source: recordedSource } = this.#record;
    const isSame = recordedSource === sourceHash && former.isWhole(records.map(({ file }) => file));
    const reused = isSame ? records.map((record) => reusedFile(record, former)) : undefined;
    if (reused?.every((file) => file !== undefined)) return reused;
    const texts = new FormerTexts(records, former);
    const files = await make(texts);
    const newRecords = files.map((file) => ({
      ...recordOf(file),
      source: texts.sourceOf(file.path),
    }));
    this.#record = { ...this.#record, source: sourceHash, files: newRecords };
    this.#isChanged = true;
    return files;
  }
}

/** Reuses the texts of single files of the last run. */
class FormerTexts implements FileTexts {
  readonly #files: ReadonlyMap<string, FileRecord>;
  readonly #sources = new Map<string, string>();

  constructor(
    files: readonly FileRecord[],
    readonly former: FormerProject,
  ) {
    this.#files = new Map(files.map((record) => [record.file.path, record]));
  }

  async textOf(
    path: string,
    source: unknown,
    make: () => string | Promise<string>,
  ): Promise<string> {
    const sourceHash = hashOf(serialize(source));
    this.#sources.set(path, sourceHash);
    const record = this.#files.get(path);
    const reused = record?.source === sourceHash ? reusedFile(record, this.former) : undefined;
    return reused?.content ?? make();
  }

  /** Hash of the source of a file; undefined if `textOf` was not called for it. */
  sourceOf(path: string): string | undefined {
    return this.#sources.get(path);
  }
}

function recordOf({ content, ...file }: OutputFile): FileRecord {
  const record = { file, hash: hashOf(content) };
  return file.owner === "generated" ? record : { ...record, text: content };
}

/** The recorded file; undefined if its text is gone or was not generated. */
function reusedFile(
  { file, hash: recordedHash, text }: FileRecord,
  former: FormerProject,
): OutputFile | undefined {
  const content = text ?? former.textOf(file.path);
  if (content === undefined || hashOf(content) !== recordedHash) return undefined;
  return former.wasGenerated(file.path, content) ? ({ ...file, content } as OutputFile) : undefined;
}

function hashOf(content: string | Uint8Array): string {
  return hash("sha256", content, "hex");
}

/** The parsed record; undefined for data of another form. */
function parsed(text: string): RunRecord | undefined {
  try {
    const record = JSON.parse(text) as Partial<RunRecord> | null;
    const isRecord =
      typeof record?.compiler === "string" && (record.files ?? []).every(isFileRecord);
    return isRecord ? (record as RunRecord) : undefined;
  } catch {
    return undefined;
  }
}

function isFileRecord({ file, hash }: Partial<FileRecord>): boolean {
  return (
    typeof file?.path === "string" && typeof file.owner === "string" && typeof hash === "string"
  );
}
