import { readFileSync } from "node:fs";
import type { ApiDocument } from "../../import/api-document.js";
import { readDocument } from "../../import/read-document.js";
import type { Selection } from "../../import/selection.js";
import { unreadableDocument } from "../../model/catalogue/imports.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { shownPath } from "../compile-manifest.js";
import { placeOf } from "../options.js";
import type { CommandContext } from "../run.js";

/** The document at an absolute path. */
export function readSpec(
  { invocation, folder, reporter }: CommandContext,
  path: string,
): { document: ApiDocument } | { problem: Diagnostic } {
  const shown = shownPath(folder, path);
  reporter.progress(`reading ${shown}`);
  const bytes = readBytes(path);
  if (typeof bytes !== "string") return readDocument(shown, bytes);
  const place = placeOf(invocation, "argument");
  return { problem: unreadableDocument(place, { path: shown, reason: bytes }) };
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
