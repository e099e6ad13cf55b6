import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from "node:fs";

/** The largest file of settings, keys or certificates, in bytes. */
const MAX_SETTING_BYTES = 16 * 2 ** 20;

/**
 * Thrown for a path that leads to something else than a regular file, or to a file that is too large. The message does
 * not have the path.
 */
export class UnusableFileError extends Error {
  override readonly name = "UnusableFileError";
}

/**
 * Reads a file that a person named. Nothing but a regular file is opened: a pipe would wait for its other end, and a
 * device such as /dev/zero never ends.
 *
 * @param maxBytes the largest file, 16 MiB by default
 * @throws UnusableFileError if it is not a regular file or too large
 * @throws Error of the system if it cannot be read
 */
export function readRegularFile(path: string, maxBytes = MAX_SETTING_BYTES): Buffer {
  expectRegular(statSync(path), maxBytes);
  // The path may lead to a pipe since the check: without O_NONBLOCK, opening would wait.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    expectRegular(fstatSync(file), maxBytes);
    return readAtMost(file, maxBytes);
  } finally {
    closeSync(file);
  }
}

function expectRegular(stats: Stats, maxBytes: number): void {
  if (!stats.isFile()) throw new UnusableFileError("it is not a regular file");
  if (stats.size > maxBytes) throw tooLarge(maxBytes);
}

/** Reads to the end, since a file may grow, and some file systems report no sizes. */
function readAtMost(file: number, maxBytes: number): Buffer {
  const chunks: Buffer[] = [];
  for (let length = 0; length <= maxBytes;) {
    const chunk = Buffer.allocUnsafe(65_536);
    const read = readSync(file, chunk);
    if (read === 0) return Buffer.concat(chunks);
    chunks.push(chunk.subarray(0, read));
    length += read;
  }
  throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): UnusableFileError {
  return new UnusableFileError(`it is larger than ${maxBytes} bytes`);
}
