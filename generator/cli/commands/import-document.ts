import { realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { readRegularFile, wordsOf } from "../../1-load/regular-file.js";
import type { ApiDocument } from "../../import/api-document.js";
import { readJoinedDocument, type SiblingFiles } from "../../import/joined-document.js";
import { MAX_DOCUMENT_BYTES } from "../../import/read-document.js";
import { unreadableDocument } from "../../model/catalogue/imports.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { shownPath } from "../compile-manifest.js";
import { placeOf } from "../options.js";
import { endingAtOnce } from "../signals.js";
import type { CommandContext } from "../command.js";

/**
 * Reads a document together with the files that it refers to.
 *
 * @param manifestFolder the folder of the manifest, absolute
 * @param path absolute path of the document
 * @returns the document, and its path relative to the manifest's folder
 */
export function readDocument(
  { invocation, folder, reporter }: CommandContext,
  manifestFolder: string,
  path: string,
): { document: ApiDocument; recordedPath: string } | { problem: Diagnostic } {
  const shown = shownPath(folder, path);
  reporter.progress(`reading ${shown}`);
  const file = readRegularFile(path, MAX_DOCUMENT_BYTES);
  if ("refused" in file) {
    const place = placeOf(invocation, "argument");
    return { problem: unreadableDocument(place, { path: shown, reason: wordsOf(file.refused) }) };
  }
  const read = endingAtOnce(() => readJoinedDocument(shown, file.bytes, siblingsOf(path)));
  if ("problem" in read) return read;
  const recordedPath = relative(manifestFolder, path).replaceAll("\\", "/");
  return { document: read.document, recordedPath };
}

/** Files in a document's folder and below. Symbolic links to files outside, devices and pipes count as missing. */
function siblingsOf(path: string): SiblingFiles {
  const folder = dirname(path);
  return {
    read: (file) => {
      try {
        const realPath = realpathSync(join(folder, file));
        const isBelow = realPath.startsWith(realpathSync(folder) + sep);
        if (!isBelow) return undefined;
        const read = readRegularFile(realPath, MAX_DOCUMENT_BYTES);
        if ("bytes" in read) return read.bytes;
        return read.refused.kind === "too large" ? "too large" : undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === undefined) throw error;
        return undefined;
      }
    },
  };
}
