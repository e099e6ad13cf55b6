import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  openSync,
  statSync,
  writeSync,
  type Stats,
} from "node:fs";
import { promisify } from "node:util";

/** How long lines are collected before they are synced to the disk together, in milliseconds. */
const SYNC_DELAY_MS = 5;

/** The destination of the audit trail's lines. */
export interface Trail {
  /** Resolves when the line is written. @throws Error if that fails */
  write(line: string): Promise<void>;
  /** Resolves when the lines written before are on the disk. @throws Error if that fails */
  synced(): Promise<void>;
  close(): Promise<void>;
}

/** A trail that writes to stderr, among the lines of the log. */
export const stderrTrail: Trail = {
  write: async (line) => void process.stderr.write(`${line}\n`),
  synced: async () => undefined,
  close: async () => undefined,
};

/**
 * A trail that appends to a file. If the file was renamed or removed, for example by a program that rotates logs,
 * the trail creates a new one.
 */
export class FileTrail implements Trail {
  readonly #path: string;
  #file: number;
  /** The lines of this turn of the event loop, which are written together at its end. */
  #lines = "";
  #writing: Promise<void> | undefined;
  /** Whether the last line was cut off by an error. */
  #isCut = false;
  #syncing: Promise<void> | undefined;

  /** @throws Error if the file cannot be opened */
  constructor(path: string) {
    this.#path = path;
    this.#file = open(path);
  }

  write(line: string): Promise<void> {
    this.#lines += `${line}\n`;
    this.#writing ??= this.#writeLines();
    return this.#writing;
  }

  async #writeLines(): Promise<void> {
    await endOfTurn();
    const bytes = Buffer.from(this.#isCut ? `\n${this.#lines}` : this.#lines);
    this.#lines = "";
    this.#writing = undefined;
    this.#isCut = false;
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#file, bytes, written);
    } catch (error) {
      this.#isCut = written > 0;
      throw error;
    } finally {
      // Callers that need to know whether the sync failed call `synced` themselves.
      this.synced().catch(() => undefined);
    }
  }

  synced(): Promise<void> {
    this.#syncing ??= this.#sync();
    return this.#syncing;
  }

  async #sync(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, SYNC_DELAY_MS));
    // Lines written from now on need another sync.
    this.#syncing = undefined;
    const file = this.#file;
    if (hasMoved(file, this.#path)) {
      this.#file = open(this.#path);
      await promisify(fdatasync)(file).finally(() => closeSync(file));
    } else await promisify(fdatasync)(file);
  }

  async close(): Promise<void> {
    await this.#writing?.catch(() => undefined);
    await this.synced();
    await this.#syncing;
    closeSync(this.#file);
  }
}

const endOfTurn = promisify(setImmediate);

/** Opens a file to append to. @throws Error if it cannot be opened or is not a regular file */
function open(path: string): number {
  // Opening another kind of file may block: a pipe waits for a reader.
  const isSpecial = statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  if (isSpecial) throw new Error(`${path} is no regular file`);
  const { O_APPEND, O_CREAT, O_WRONLY, O_NONBLOCK = 0 } = constants;
  const file = openSync(path, O_APPEND | O_CREAT | O_WRONLY | O_NONBLOCK, 0o600);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Error(`${path} is no regular file`);
}

/** Whether the open file is no longer the one at `path`. */
function hasMoved(file: number, path: string): boolean {
  let stats: Stats;
  try {
    stats = statSync(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
  const { dev, ino } = fstatSync(file);
  return stats.dev !== dev || stats.ino !== ino;
}
