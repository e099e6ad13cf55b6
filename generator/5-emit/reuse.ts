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

/** The record of a file that a former run made. */
interface FileRecord {
  readonly file: Omit<OutputFile, "content">;
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
 * Reuses the files of the last run on this machine if they were made from the same model. The record is not trusted,
 * since others may write it: files are reused only if the lock has the same manifest and their hashes. It says that files
 * need not be made again; whether a manifest is valid does not depend on it.
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
    make: () => Promise<readonly OutputFile[]>,
  ): Promise<readonly OutputFile[]> {
    const sourceHash = hashOf(serialize(source));
    const { files: records = [], source: recordedSource } = this.#record;
    const isSame = recordedSource === sourceHash && former.isWhole(records.map(({ file }) => file));
    const reused = isSame ? records.map((record) => reusedFile(record, former)) : undefined;
    if (reused?.every((file) => file !== undefined)) return reused;
    const files = await make();
    this.#record = { ...this.#record, source: sourceHash, files: files.map(recordOf) };
    this.#isChanged = true;
    return files;
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
