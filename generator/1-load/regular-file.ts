import { isOutside } from "./boundary.js";
import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from "node:fs";

/** Why a file was not read. */
export type RefusedFile =
  | { readonly kind: "not a file"; readonly found: string }
  | { readonly kind: "too large"; readonly bytes: number; readonly limit: number }
  /** The process may not read it; see `boundary.ts`. */
  | { readonly kind: "outside" }
  /** An error of the operating system, such as `ENOENT`. */
  | { readonly kind: "system"; readonly code: string };

export type ReadFile = { readonly bytes: Buffer } | { readonly refused: RefusedFile };

/**
 * Reads a file that a person named. It checks the kind of file before it opens it and never reads past the limit, so
 * that a folder, pipe, device or endless file does not block and does not take memory.
 */
export function readRegularFile(path: string, limit: number): ReadFile {
  if (isOutside(path)) return { refused: { kind: "outside" } };
  try {
    const refused = refusal(statSync(path), limit);
    if (refused !== undefined) return { refused };
    // Do not block: the path may have become a pipe after the check.
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return readOpened(descriptor, limit);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    // Any other error is a bug.
    if (!(error instanceof Error) || !("code" in error)) throw error;
    return { refused: { kind: "system", code: String(error.code) } };
  }
}

/** Why a file was not read, in words. */
export function wordsOf(refused: RefusedFile): string {
  if (refused.kind === "not a file") return `it must be a regular file, not ${refused.found}`;
  if (refused.kind === "system") return refused.code;
  if (refused.kind === "outside") return "it is outside of the folder that may be read";
  return `it has ${refused.bytes} bytes; at most ${refused.limit} are read`;
}

/** Reads a file that is open. Nothing but a regular file is read. */
export function readOpened(descriptor: number, limit: number): ReadFile {
  const stats = fstatSync(descriptor);
  const refused = refusal(stats, limit);
  if (refused !== undefined) return { refused };
  let buffer = Buffer.allocUnsafeSlow(stats.size + 1);
  for (let length = 0; ;) {
    const bytesRead = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += bytesRead;
    if (length > limit) return { refused: { kind: "too large", bytes: length, limit } };
    if (bytesRead === 0) return { bytes: buffer.subarray(0, length) };
    // The file has grown, or its file system reports no sizes.
    if (length === buffer.length) buffer = Buffer.concat([buffer], 2 * length + READ_AHEAD);
  }
}

/** Bytes by which the buffer grows beyond twice its length. */
const READ_AHEAD = 1 << 16;

function refusal(stats: Stats, limit: number): RefusedFile | undefined {
  if (!stats.isFile()) return { kind: "not a file", found: kindOf(stats) };
  return stats.size > limit ? { kind: "too large", bytes: stats.size, limit } : undefined;
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a pipe";
  return stats.isSocket() ? "a socket" : "a device";
}
