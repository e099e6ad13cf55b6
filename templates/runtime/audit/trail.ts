import {
  closeSync,
  fdatasync,
  fstatSync,
  openSync,
  statSync,
  writeSync,
  type Stats,
} from "node:fs";
import { promisify } from "node:util";

/** How long lines wait to be brought to the disk together, in milliseconds. */
const SYNC_AFTER = 5;

/** Where the lines of the audit trail go. */
export interface Trail {
  /** Resolves when a line is written. @throws Error where it cannot be */
  write(line: string): Promise<void>;
  /** Resolves when what was written is on the disk. @throws Error where it could not be brought there */
  synced(): Promise<void>;
  close(): Promise<void>;
}

/** A trail on stderr, among the lines of the log. */
export const stderrTrail: Trail = {
  write: async (line) => void process.stderr.write(`${line}\n`),
  synced: async () => undefined,
  close: async () => undefined,
};

/**
 * A trail in a file, which lines are added to. Where the file was renamed or removed, as programs that rotate logs
 * do, a new one is begun.
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

  /** @throws Error where the file cannot be opened */
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
      // Whoever needs to know whether this failed asks for it.
      this.synced().catch(() => undefined);
    }
  }

  synced(): Promise<void> {
    this.#syncing ??= this.#sync();
    return this.#syncing;
  }

  async #sync(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, SYNC_AFTER));
    // What is written from now on waits for the next time.
    this.#syncing = undefined;
    const file = this.#file;
    if (isOther(file, this.#path)) {
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

/** @throws Error where it cannot be opened, or is no regular file */
function open(path: string): number {
  // Opening anything else may take for ever: a pipe waits for its reader.
  const isOtherKind = statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  if (isOtherKind) throw new Error(`${path} is no regular file`);
  return openSync(path, "a", 0o600);
}

/** Whether a path leads to another file than the one that is open, or to none. */
function isOther(file: number, path: string): boolean {
  let found: Stats;
  try {
    found = statSync(path);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
  const { dev, ino } = fstatSync(file);
  return found.dev !== dev || found.ino !== ino;
}
