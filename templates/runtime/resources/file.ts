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
  const realRoot = await realpath(root);
  const realPath = await realpath(join(root, path));
  refuseOutside(realRoot, realPath, path);
  // Without O_NONBLOCK, opening a pipe would wait for its other end.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(realPath, flags);
  try {
    // A folder on the way may have become a link between the check and the opening.
    refuseOutside(realRoot, await openedPath(file, path, realPath), path);
    return await readRegularFile(file, path, mostBytes);
  } finally {
    await file.close();
  }
}

/** @throws Error when a real path does not lie in a folder */
function refuseOutside(realRoot: string, realPath: string, path: string): void {
  const folder = realRoot.endsWith(sep) ? realRoot : realRoot + sep;
  if (!realPath.startsWith(folder)) throw new Error(`${path} leads out of the project`);
}

/**
 * Where an opened file lies. Linux says so. Elsewhere it is compared with what is at the checked path
 * now, which a link that is swapped twice in that moment can still deceive.
 * @throws Error when it is not the file at that path
 */
async function openedPath(file: FileHandle, path: string, checked: string): Promise<string> {
  const said = await readlink(`/proc/self/fd/${file.fd}`).catch(() => undefined);
  if (said !== undefined) return said;
  const [opened, now, realPath] = [
    await file.stat(),
    await lstat(checked),
    await realpath(checked),
  ];
  if (opened.dev !== now.dev || opened.ino !== now.ino || realPath !== checked) {
    throw new Error(`${path} moved while it was read`);
  }
  return checked;
}

async function readRegularFile(file: FileHandle, path: string, mostBytes: number): Promise<Buffer> {
  const status = await file.stat();
  if (!status.isFile()) throw new Error(`${path} is not a regular file`);
  if (status.size > mostBytes) throw new Error(`${path} is larger than ${mostBytes} bytes`);
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
