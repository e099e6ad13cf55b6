import { constants } from "node:fs";
import { lstat, open, readlink, realpath, type FileHandle } from "node:fs/promises";
import { join, sep } from "node:path";

/**
 * Reads a file of the project. The path comes from the manifest, but what lies there may change
 * while the server runs: links that lead out, devices and pipes are refused.
 * @param root The project's folder.
 * @param path Relative to it.
 * @param mostBytes Largest file to read.
 * @throws Error when it is missing, outside, not a regular file, or too large
 */
export async function readProjectFile(
  root: string,
  path: string,
  mostBytes: number,
): Promise<Buffer> {
  const isInside = insideOf(await realpath(root));
  const file = await openReal(await realpath(join(root, path)), constants.O_RDONLY, isInside);
  try {
    return await readRegularFile(file, path, mostBytes);
  } finally {
    await file.close();
  }
}

/** Why a file is not read that could be. */
export class RefusedFileError extends Error {
  override readonly name = "RefusedFileError";
}

/** Says of real paths whether they lie in a folder, which is a real path too. */
export function insideOf(folder: string): (path: string) => boolean {
  const start = folder.endsWith(sep) ? folder : folder + sep;
  return (path) => path === folder || path.startsWith(start);
}

/**
 * Opens what lies at a real path: no link, and nothing that it was swapped for.
 * @param flags Of `open`, beside those that this needs.
 * @param mayOpen Whether what lies at a real path may be opened.
 * @throws RefusedFileError when it must not be, or is not at that path any more
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
    // A folder on the way may have become a link between the check and the opening.
    if (mayOpen(await openedPath(file, realPath))) return file;
    throw new RefusedFileError(`${realPath} leads out`);
  } catch (error) {
    await file.close();
    throw error;
  }
}

/**
 * Where an opened file lies. Linux says so. Elsewhere it is compared with what is at the checked path
 * now, which a link that is swapped twice in that moment can still deceive.
 * @throws RefusedFileError when it is not the file at that path
 */
export async function openedPath(file: FileHandle, checked: string): Promise<string> {
  const said = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (said !== undefined) return said;
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
 * @param path For messages.
 * @throws RefusedFileError when it is not a regular file, or too large
 */
export async function readRegularFile(
  file: FileHandle,
  path: string,
  mostBytes: number,
): Promise<Buffer> {
  const status = await file.stat();
  if (!status.isFile()) throw new RefusedFileError(`${path} is not a regular file`);
  if (status.size > mostBytes) {
    throw new RefusedFileError(`${path} is larger than ${mostBytes} bytes`);
  }
  const content = Buffer.alloc(status.size);
  let length = 0;
  while (length < content.length) {
    const { bytesRead } = await file.read(content, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return content.subarray(0, length);
}

const TEXT_TYPES =
  /^text\/|[/+](json|xml|yaml|x-yaml|toml|javascript|ecmascript|typescript|sql|graphql)$/;

/** The content of a file as the protocol has it: text where the type says so, or, without a type, where it is UTF-8. */
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

/** @throws TypeError when the bytes are not UTF-8 */
function decodeUtf8(bytes: Buffer): string {
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
