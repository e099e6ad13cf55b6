import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from "node:fs";
import type { Diagnostic } from "../model/diagnostic.js";
import {
  manifestNotAFile,
  manifestNotFound,
  manifestTooLarge,
  manifestUnreadable,
} from "../model/catalogue/load.js";
import { LIMITS } from "./limits.js";

export interface ReadResult {
  /** Absent when there is a diagnostic. */
  readonly bytes?: Uint8Array;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads a manifest's bytes. It checks the kind of file before it opens it and never reads past the
 * size limit, so that a folder, pipe, device or endless file gives a diagnostic and does not block.
 *
 * @param shownPath the path that diagnostics carry
 */
export function readManifest(path: string, shownPath = path): ReadResult {
  try {
    const problem = fileProblem(shownPath, statSync(path));
    if (problem !== undefined) return { diagnostics: [problem] };
    // Do not block: the path may have become a pipe after the check.
    const descriptor = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      return readOpened(shownPath, descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return { diagnostics: [systemProblem(shownPath, error)] };
  }
}

function readOpened(shownPath: string, descriptor: number): ReadResult {
  const stats = fstatSync(descriptor);
  const problem = fileProblem(shownPath, stats);
  if (problem !== undefined) return { diagnostics: [problem] };
  let buffer = Buffer.allocUnsafeSlow(stats.size + 1);
  for (let length = 0; ;) {
    const bytesRead = readSync(descriptor, buffer, length, buffer.length - length, null);
    length += bytesRead;
    if (bytesRead === 0 || length > LIMITS.fileBytes) {
      return { bytes: buffer.subarray(0, length), diagnostics: [] };
    }
    // The file has grown, or its file system reports no sizes.
    if (length === buffer.length) buffer = Buffer.concat([buffer], 2 * length + READ_AHEAD);
  }
}

/** Bytes by which the buffer grows beyond twice its length. */
const READ_AHEAD = 1 << 16;

function fileProblem(path: string, stats: Stats): Diagnostic | undefined {
  const place = startOf(path);
  if (!stats.isFile()) return manifestNotAFile(place, { found: kindOf(stats) });
  if (stats.size <= LIMITS.fileBytes) return undefined;
  return manifestTooLarge(place, { bytes: stats.size, limit: LIMITS.fileBytes });
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a pipe";
  return stats.isSocket() ? "a socket" : "a device";
}

/** An error of the operating system becomes a diagnostic. Any other error is a bug and is thrown again. */
function systemProblem(path: string, error: unknown): Diagnostic {
  if (!(error instanceof Error) || !("code" in error)) throw error;
  if (error.code === "ENOENT" || error.code === "ENOTDIR") {
    return manifestNotFound(startOf(path), { reason: "there is no such file" });
  }
  if (error.code === "ELOOP") {
    return manifestNotFound(startOf(path), { reason: "its links lead in a circle" });
  }
  return manifestUnreadable(startOf(path), { reason: String(error.code) });
}

const startOf = (file: string) => ({ file, line: 1, column: 1, endLine: 1, endColumn: 1 });
