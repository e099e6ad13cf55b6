import { mkdir, open, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { readRegularFile } from "../engine/regular-file.js";

/** A file's text, and what is needed to replace it. */
export interface TextFile {
  /** The path of the file itself, not of a symbolic link to it. */
  readonly path: string;
  readonly text: string;
  /** Undefined if the file does not exist yet. */
  readonly bytes: Buffer | undefined;
}

const BYTE_ORDER_MARK = "\uFEFF";

/** The largest file of settings that is edited, in bytes. */
const MAX_BYTES = 8 * 2 ** 20;

/**
 * Reads a UTF-8 file, with or without a byte-order mark. A file that does not exist counts as empty.
 *
 * @throws Error if it cannot be read, is not UTF-8, or is larger than 8 MiB
 */
export async function readTextFile(path: string): Promise<TextFile> {
  const real = await realpath(path).catch(() => path);
  const bytes = readIfPresent(real);
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes ?? new Uint8Array());
  return { path: real, text, bytes };
}

/**
 * Replaces the text of a file atomically: programs read either the former text or the new one. The former
 * bytes are kept beside it in a file that ends in `.saved`.
 *
 * @throws Error if the file has changed since it was read or cannot be written. Then it stays unchanged.
 */
export async function replaceTextFile(file: TextFile, text: string): Promise<void> {
  const { path, bytes } = file;
  await mkdir(dirname(path), { recursive: true });
  const mode = bytes === undefined ? 0o600 : (await stat(path)).mode;
  // Renaming a new file over a read-only one would succeed, against the wish of its owner.
  if ((mode & 0o222) === 0) throw new Error("the file is read-only");
  const byteOrderMark = bytes?.subarray(0, 3).toString() === BYTE_ORDER_MARK ? BYTE_ORDER_MARK : "";
  const newPath = `${path}.${process.pid}.new`;
  try {
    await writeNewFile(newPath, byteOrderMark + text, mode);
    if (!isSame(readIfPresent(path), bytes))
      throw new Error("the file was changed by another program meanwhile");
    if (bytes !== undefined) await writeFile(`${path}.saved`, bytes, { mode });
    await rename(newPath, path);
  } finally {
    await rm(newPath, { force: true });
  }
}

function readIfPresent(path: string): Buffer | undefined {
  try {
    return readRegularFile(path, MAX_BYTES);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function writeNewFile(path: string, text: string, mode: number): Promise<void> {
  const handle = await open(path, "wx", mode);
  try {
    // The process's umask may have removed bits of the mode.
    await handle.chmod(mode);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isSame(left: Buffer | undefined, right: Buffer | undefined): boolean {
  return left === undefined || right === undefined ? left === right : left.equals(right);
}
