import { wholeFile, type Place } from "../model/place.js";
import type { Diagnostic } from "../model/diagnostic.js";
import {
  manifestNotAFile,
  manifestNotFound,
  manifestTooLarge,
  manifestUnreadable,
} from "../model/catalogue/load.js";
import { partsOnDisk } from "./part-files.js";
import type { ReadResult } from "./read-result.js";
import { LIMITS } from "./limits.js";
import { readRegularFile, wordsOf, type RefusedFile } from "./regular-file.js";

/**
 * Reads a manifest's bytes.
 *
 * @param shownPath the path that diagnostics carry
 */
export function readManifest(path: string, shownPath = path): ReadResult {
  return { ...readBytes(path, shownPath), parts: partsOnDisk(path, shownPath, readBytes) };
}

function readBytes(path: string, shownPath: string): ReadResult {
  const read = readRegularFile(path, LIMITS.fileBytes);
  if ("bytes" in read) return { bytes: read.bytes, diagnostics: [] };
  return { diagnostics: [problemOf(wholeFile(shownPath), read.refused)] };
}

function problemOf(place: Place, refused: RefusedFile): Diagnostic {
  if (refused.kind === "not a file") return manifestNotAFile(place, refused);
  if (refused.kind === "too large") return manifestTooLarge(place, refused);
  if (refused.kind === "outside") return manifestUnreadable(place, { reason: wordsOf(refused) });
  const { code } = refused;
  if (code === "ENOENT" || code === "ENOTDIR") {
    return manifestNotFound(place, { reason: "there is no such file" });
  }
  if (code === "ELOOP") {
    return manifestNotFound(place, { reason: "its links lead in a circle" });
  }
  return manifestUnreadable(place, { reason: code });
}
