import { constants } from "node:fs";
import { lstat, open, readlink, realpath, type FileHandle } from "node:fs/promises";
import { join, sep } from "node:path";
import type { AnswerMemory } from "../context/answer-memory.js";

/** The limits for reading a file. */
export interface FileLimits {
  /** The size of the largest file that is read. */
  readonly mostBytes: number;
  /** The memory that is reserved before the file is read; absent if that is not limited. */
  readonly memory?: AnswerMemory | undefined;
}

/**
 * Reads a file of the project. The path comes from the manifest, but the file may change while the server runs, so
 * links to files outside of the project, devices and pipes are refused.
 * @param root The project's folder.
 * @param path The path relative to it.
 * @throws Error if the file is missing, outside, not a regular file, or too large
 * @throws ToolError if no memory becomes free in time
 */
export async function readProjectFile(
  root: string,
  path: string,
  limits: FileLimits,
): Promise<Buffer> {
  const isInside = insideOf(await realpath(root));
  const file = await openReal(await realpath(join(root, path)), constants.O_RDONLY, isInside);
  try {
    return await readRegularFile(file, path, limits);
  } finally {
    await file.close();
  }
}

/** Thrown if a file must not be read. */
export class RefusedFileError extends Error {
  override readonly name = "RefusedFileError";
}

/** Returns a function that tells whether a real path is in a folder, which is a real path, too. */
export function insideOf(folder: string): (path: string) => boolean {
  const start = folder.endsWith(sep) ? folder : folder + sep;
  return (path) => path === folder || path.startsWith(start);
}

/**
 * Opens the file at a real path. A link, or another file that has replaced it meanwhile, is refused.
 * @param flags Further flags of `open`.
 * @param mayOpen Whether the file at a real path may be opened.
 * @throws RefusedFileError if it must not be opened, or is not at that path anymore
 */
export async function openReal(
  realPath: string,
  flags: number,
  mayOpen: (realPath: string) => boolean,
): Promise<FileHandle> {
  if (!mayOpen(realPath)) throw new RefusedFileError(`${realPath} leads out`);
  // Without O_NONBLOCK, opening a pipe would wait for its other end.
  const safe = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(realPath, flags | safe);
  try {
    // A folder in the path may have been replaced by a link since the check.
    if (mayOpen(await openedPath(file, realPath))) return file;
    throw new RefusedFileError(`${realPath} leads out`);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Returns the path of an opened file. Linux reports it. Other systems compare the file with the one that is at the
 * checked path now, which fails to notice a link that is replaced twice in that moment.
 * @throws RefusedFileError if it is not the file at that path
 */
export async function openedPath(file: FileHandle, checked: string): Promise<string> {
  const linkTarget = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (linkTarget !== undefined) return linkTarget;
  const [opened, now, realPath] = [
    await file.stat(),
    await lstat(checked),
    await realpath(checked),
  ];
  if (opened.dev !== now.dev || opened.ino !== now.ino || realPath !== checked) {
    throw new RefusedFileError(`${checked} moved while it was read`);
  }
  return checked;
}

/**
 * Reads an opened file.
 * @param path The path for messages.
 * @throws RefusedFileError if it is not a regular file, or too large
 * @throws ToolError if no memory becomes free in time
 */
export async function readRegularFile(
  file: FileHandle,
  path: string,
  { mostBytes, memory }: FileLimits,
): Promise<Buffer> {
  const status = await file.stat();
  if (!status.isFile()) throw new RefusedFileError(`${path} is not a regular file`);
  if (status.size > mostBytes) {
    throw new RefusedFileError(`${path} is larger than ${mostBytes} bytes`);
  }
  const finish = await memory?.reserve(status.size);
  let length = 0;
  try {
    const content = Buffer.alloc(status.size);
    while (length < content.length) {
      const { bytesRead } = await file.read(content, length);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    return content.subarray(0, length);
  } finally {
    finish?.(length);
  }
}

const TEXT_TYPES =
  /^text\/|[/+](json|xml|yaml|x-yaml|toml|javascript|ecmascript|typescript|sql|graphql)$/;

/** Returns the content of a file in the protocol's form: text if its type is one of text, or if it has no type and is UTF-8. */
export function fileContents(
  bytes: Buffer,
  mimeType: string | undefined,
): { text: string } | { blob: string } {
  if (mimeType === undefined) {
    try {
      return { text: decodeUtf8(bytes) };
    } catch {
      return { blob: bytes.toString("base64") };
    }
  }
  const essence = mimeType.split(";", 1)[0]!.trim().toLowerCase();
  return TEXT_TYPES.test(essence)
    ? { text: decodeUtf8(bytes) }
    : { blob: bytes.toString("base64") };
}

/** Decodes UTF-8, with a mark at its beginning if there is one. @throws TypeError if the bytes are not UTF-8 */
function decodeUtf8(bytes: Buffer): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
