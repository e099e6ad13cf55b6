import { posix } from "node:path";
import { patternsOf } from "../../1-load/load-parts.js";
import { describesPath } from "../../1-load/part-files.js";
import type { PartFiles } from "../../1-load/read-result.js";
import { ManifestEditor } from "../../edit/manifest-editor.js";
import type { LoadedManifest } from "../../model/loaded-manifest.js";
import { partModeline } from "./split-text.js";

/** The files beside a manifest together with new ones that are not written yet. @param added their texts by path */
export function withNewParts(parts: PartFiles, added: ReadonlyMap<string, string>): PartFiles {
  return {
    ...parts,
    find: async (pattern) => {
      const found = await parts.find(pattern);
      const fitting = [...added.keys()].filter((path) => describesPath(pattern, path));
      return "reason" in found ? found : [...found, ...fitting].sort();
    },
    read: (path) => {
      const text = added.get(path);
      return text === undefined
        ? parts.read(path)
        : Promise.resolve({ bytes: Buffer.from(text), diagnostics: [] });
    },
  };
}

/** The text of a new file without tools. @param path its path from the manifest's folder */
export function emptyPart(path: string): string {
  return `${partModeline(posix.dirname(path))}\ntools: []\n`;
}

/** The text of a manifest that also includes new files. Only those that no pattern describes are added to it. */
export function textWithIncluded(own: LoadedManifest, paths: readonly string[]): string {
  const editor = new ManifestEditor(own.texts.get(own.file) ?? "");
  const patterns = patternsOf(own);
  const added = paths.filter((path) => !patterns.some((one) => describesPath(one, path)));
  if (added.length === 0) return editor.text;
  const former = patterns.length > 0 ? [...patterns] : undefined;
  editor.setSection("include", former, [...patterns, ...added], "version");
  return editor.text;
}
