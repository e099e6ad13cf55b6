import { constants } from "node:fs";
import { open, realpath, type FileHandle } from "node:fs/promises";
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
  const realPath = await pathInside(root, path);
  // Without O_NONBLOCK, opening a pipe would wait for its other end.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  const file = await open(realPath, flags);
  try {
    // Once more: a folder on the way may have become a link between the check and the opening.
    if ((await pathInside(root, path)) !== realPath)
      throw new Error(`${path} moved while it was read`);
    return await readRegularFile(file, path, mostBytes);
  } finally {
    await file.close();
  }
}

async function pathInside(root: string, path: string): Promise<string> {
  const [realRoot, realPath] = await Promise.all([realpath(root), realpath(join(root, path))]);
  const folder = realRoot.endsWith(sep) ? realRoot : realRoot + sep;
  if (!realPath.startsWith(folder)) throw new Error(`${path} leads out of the project`);
  return realPath;
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
