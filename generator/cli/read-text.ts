import { readRegularFile } from "../1-load/regular-file.js";

/** The largest file of a project that is read as text, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;

/** The text of a UTF-8 file, or undefined if it cannot be read, is no regular file or is larger than 64 MiB. */
export function readText(path: string): string | undefined {
  const read = readRegularFile(path, MAX_BYTES);
  return "bytes" in read ? read.bytes.toString("utf8") : undefined;
}
