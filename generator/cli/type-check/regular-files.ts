import { statSync } from "node:fs";
import { readRegularFile as readNamedFile } from "../../1-load/regular-file.js";

/** The most bytes of a file that the compiler reads. The largest files of types that are published have about 10 MB. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * True for a regular file that is not too large. A project can name any file of the machine, in `extends` or in a
 * reference: a pipe would block the compiler, and a device may have no end.
 */
export function isRegularFile(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && stats.isFile() && stats.size <= MOST_BYTES;
}

/** The text of a regular file, without a byte-order mark. Undefined for everything else, which the compiler then reports as missing. */
export function readRegularFile(path: string): string | undefined {
  const read = readNamedFile(path, MOST_BYTES);
  return "bytes" in read ? new TextDecoder().decode(read.bytes) : undefined;
}
