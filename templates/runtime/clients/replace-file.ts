import { mkdir, open, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** A file's text, and all that is needed to write another in its place. */
export interface TextFile {
  /** Where it lies: not the link that leads to it. */
  readonly path: string;
  readonly text: string;
  /** Undefined where there is no file yet. */
  readonly bytes: Buffer | undefined;
}

const MARK = "\uFEFF";

/**
 * Reads a file of UTF-8, with or without a byte-order mark. A file that is not there is empty.
 *
 * @throws Error where it cannot be read, or is no UTF-8
 */
export async function readTextFile(path: string): Promise<TextFile> {
  const real = await realpath(path).catch(() => path);
  const bytes = await readFile(real).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes ?? new Uint8Array());
  return { path: real, text, bytes };
}

/**
 * Puts another text in the place of a file's, at once: whoever reads it meanwhile sees one or the
 * other. The former bytes stay beside it as `.saved`.
 *
 * @throws Error where the file has changed since it was read, or cannot be written; it is as it was then
 */
export async function replaceTextFile(file: TextFile, text: string): Promise<void> {
  const { path, bytes } = file;
  await mkdir(dirname(path), { recursive: true });
  const mode = bytes === undefined ? 0o600 : (await stat(path)).mode;
  // A file that takes its place could be written, and whoever looks after this one would not know.
  if ((mode & 0o222) === 0) throw new Error("the file is read-only");
  const mark = bytes?.subarray(0, 3).toString() === MARK ? MARK : "";
  const next = `${path}.${process.pid}.new`;
  try {
    await writeWhole(next, mark + text, mode);
    const current = await readFile(path).catch(() => undefined);
    if (!isSame(current, bytes))
      throw new Error("the file was changed by another program meanwhile");
    if (bytes !== undefined) await writeFile(`${path}.saved`, bytes, { mode });
    await rename(next, path);
  } finally {
    await rm(next, { force: true });
  }
}

async function writeWhole(path: string, text: string, mode: number): Promise<void> {
  const handle = await open(path, "wx", mode);
  try {
    // The mode of a new file leaves out what the process masks.
    await handle.chmod(mode);
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one === undefined || other === undefined ? one === other : one.equals(other);
}
