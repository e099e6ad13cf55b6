import { isDeepStrictEqual } from "node:util";
import { loadWithParts } from "../../1-load/load-parts.js";
import { FilesEditor } from "../../edit/files-editor.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { compileBytes } from "../compile-manifest.js";
import { EditedFiles } from "../edited-files.js";

/** The files of a manifest with new examples, none of which is written yet. */
export interface EditedManifest {
  readonly files: EditedFiles;
  /** Which tools cannot get examples, and why. */
  readonly skipped: readonly string[];
}

/**
 * Adds examples to tools, each in the file where it stands, by splices.
 *
 * @param path absolute path of the manifest
 * @param file the path that diagnostics carry
 * @param added the new examples of each tool, by its index
 * @returns why the result would be no valid manifest, or none that says what it said
 */
export async function editExamples(
  path: string,
  file: string,
  added: ReadonlyMap<number, readonly JsonObject[]>,
): Promise<EditedManifest | { readonly reason: string }> {
  const files = new EditedFiles(path, file);
  const { bytes, parts } = files.read();
  const loaded = bytes && (await loadWithParts(file, bytes, parts)).manifest;
  if (loaded === undefined) return { reason: `${file} has just changed` };
  const editor = new FilesEditor(loaded);
  const skipped: string[] = [];
  const expected = new Map<number, JsonValue>();
  for (const [index, examples] of added) {
    const before = toolAt(loaded, index);
    const present = before["examples"] ?? [];
    const after = {
      ...before,
      examples: [...(Array.isArray(present) ? present : []), ...examples],
    };
    if (!editor.isRemovable(["tools", index, "examples"])) {
      skipped.push(`${String(before["name"])}: its text also stands for another place (an anchor)`);
    } else {
      expected.set(index, after);
      editor.change(["tools", index], before, after);
    }
  }
  for (const [shown, text] of editor.texts) {
    const edited = files.get(shown);
    if (edited !== undefined) edited.text = text;
  }
  const compiled = await compileBytes(file, files.read(), { flags: new Set() });
  const error = compiled.diagnostics.find(({ severity }) => severity === "error");
  if (error !== undefined) return { reason: `${error.file} would be wrong: ${error.message}` };
  const { bytes: now, parts: partsNow } = files.read();
  const after = now && (await loadWithParts(file, now, partsNow)).manifest;
  const isAsMeant = [...expected].every(
    ([index, tool]) => after !== undefined && isDeepStrictEqual(toolAt(after, index), tool),
  );
  return isAsMeant ? { files, skipped } : { reason: "the result would be another manifest" };
}

function toolAt({ value }: LoadedManifest, index: number): JsonObject {
  const tools = value["tools"] ?? null;
  const tool = (Array.isArray(tools) ? tools[index] : undefined) ?? null;
  return isJsonObject(tool) ? tool : {};
}
