import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { ApiDocument } from "../../import/api-document.js";
import { readJoinedDocument, type SiblingFiles } from "../../import/joined-document.js";
import type { Selection } from "../../import/selection.js";
import { unreadableDocument } from "../../model/catalogue/imports.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { shownPath } from "../compile-manifest.js";
import { placeOf } from "../options.js";
import type { CommandContext } from "../command.js";

/** The document at an absolute path. */
export function readSpec(
  { invocation, folder, reporter }: CommandContext,
  path: string,
): { document: ApiDocument } | { problem: Diagnostic } {
  const shown = shownPath(folder, path);
  reporter.progress(`reading ${shown}`);
  const bytes = readBytes(path);
  if (typeof bytes !== "string") return readJoinedDocument(shown, bytes, siblingsOf(path));
  const place = placeOf(invocation, "argument");
  return { problem: unreadableDocument(place, { path: shown, reason: bytes }) };
}

/** The files of a document's folder and below it. Links that lead out of it, devices and pipes are not there. */
function siblingsOf(path: string): SiblingFiles {
  const folder = dirname(path);
  return {
    read: (file) => {
      try {
        const found = realpathSync(join(folder, file));
        const isBelow = found.startsWith(realpathSync(folder) + sep);
        return isBelow && statSync(found).isFile() ? readFileSync(found) : undefined;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === undefined) throw error;
        return undefined;
      }
    },
  };
}

/** The bytes of a file, or the code of what is wrong with it. */
function readBytes(path: string): Uint8Array | string {
  try {
    return readFileSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code;
  }
}

/** The operations that a command line chooses. Each option may be given more than once, and holds a list with commas. */
export function selectionOf({ invocation }: CommandContext): Selection {
  const list = (name: "tag" | "path" | "method" | "operation" | "exclude") =>
    (invocation.lists.get(name) ?? [])
      .flatMap((text) => text.split(","))
      .map((text) => text.trim());
  return {
    tags: list("tag"),
    paths: list("path"),
    methods: list("method"),
    operations: list("operation"),
    exclude: list("exclude"),
  };
}
