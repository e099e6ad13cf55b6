import {
  badIncludePattern,
  includesNothing,
  keyNotIncluded,
  tooManyIncluded,
} from "../model/catalogue/includes.js";
import { manifestTooLarge } from "../model/catalogue/load.js";
import { inFileOrder, type Diagnostic } from "../model/diagnostic.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import { wholeFile } from "../model/place.js";
import { quoted } from "../text/value-words.js";
import { joinParts, PART_SECTIONS } from "./join-parts.js";
import { LIMITS } from "./limits.js";
import { loadManifest, type LoadResult } from "./load.js";
import { problemOfPattern } from "./part-files.js";
import type { PartFiles } from "./read-result.js";
import { nothingSpent } from "./scan.js";

/** A loaded manifest, and the texts of all files that were read, also if there is an error. */
export interface LoadedFiles extends LoadResult {
  readonly texts: ReadonlyMap<string, string>;
}

/**
 * Loads a manifest with the files that it includes, as one manifest. Nothing after this phase knows of `include`.
 *
 * @param file the path that diagnostics carry
 * @param parts where the included files are; none, if there are no files beside the manifest
 */
export async function loadWithParts(
  file: string,
  bytes: Uint8Array,
  parts: PartFiles = NO_FILES,
): Promise<LoadedFiles> {
  const spent = nothingSpent();
  const main = loadManifest(file, bytes, spent);
  const texts = new Map([[file, textOf(main, file, bytes)]]);
  const patterns = main.manifest === undefined ? [] : patternsOf(main.manifest);
  if (main.manifest === undefined || patterns.length === 0) return { ...main, texts };
  const diagnostics = [...main.diagnostics];
  const loaded: LoadedManifest[] = [];
  let size = bytes.length;
  for (const path of await pathsOf(main.manifest, patterns, parts, diagnostics)) {
    const shown = parts.shown(path);
    const read = await parts.read(path);
    diagnostics.push(...read.diagnostics);
    if (read.bytes === undefined) continue;
    size += read.bytes.length;
    if (size > LIMITS.fileBytes) {
      const limit = LIMITS.fileBytes;
      diagnostics.push(manifestTooLarge(wholeFile(shown), { bytes: size, limit }));
      break;
    }
    const part = loadManifest(shown, read.bytes, spent, true);
    texts.set(shown, textOf(part, shown, read.bytes));
    diagnostics.push(...part.diagnostics, ...foreignKeys(part.manifest, file));
    if (part.manifest !== undefined) loaded.push(part.manifest);
  }
  const joined = joinParts(main.manifest, loaded);
  const all = inFileOrder([...diagnostics, ...joined.diagnostics]);
  if (all.some(({ severity }) => severity === "error")) return { diagnostics: all, texts };
  return { manifest: joined.manifest, diagnostics: all, texts };
}

const NO_FILES: PartFiles = {
  find: () => Promise.resolve([]),
  read: () => Promise.resolve({ diagnostics: [] }),
  shown: (path) => path,
};

function textOf({ manifest }: LoadResult, file: string, bytes: Uint8Array): string {
  return manifest?.texts.get(file) ?? new TextDecoder().decode(bytes);
}

/** The patterns of `include`. None if they have the wrong type, which validation reports. */
export function patternsOf({ value: { include } }: LoadedManifest): readonly string[] {
  const patterns = Array.isArray(include) ? include : [];
  return patterns.every((pattern) => typeof pattern === "string") ? patterns : [];
}

/** The paths of the included files, each once, in the order of the patterns. */
async function pathsOf(
  main: LoadedManifest,
  patterns: readonly string[],
  parts: PartFiles,
  diagnostics: Diagnostic[],
): Promise<readonly string[]> {
  const paths = new Set<string>();
  for (const [index, text] of patterns.entries()) {
    const place = main.locate(["include", index], "value");
    const pattern = quoted(text);
    const problem = problemOfPattern(text);
    if (problem !== undefined) {
      diagnostics.push(badIncludePattern(place, { pattern, problem }));
      continue;
    }
    const found = await parts.find(text);
    if ("reason" in found || found.length === 0) {
      diagnostics.push(includesNothing(place, { pattern, ...("reason" in found && found) }));
    } else for (const path of found) paths.add(path);
  }
  const [found, limit] = [paths.size, LIMITS.parts];
  if (found <= limit) return [...paths];
  diagnostics.push(tooManyIncluded(main.locate(["include"], "value"), { found, limit }));
  return [];
}

/** The keys that a part must not have. */
function foreignKeys(part: LoadedManifest | undefined, manifest: string): Diagnostic[] {
  if (part === undefined) return [];
  const keys = Object.keys(part.value).filter((key) => !/^x-/.test(key) && !PART_SECTIONS.has(key));
  const known = [...PART_SECTIONS.keys()].join(", ");
  return keys.map((key) =>
    keyNotIncluded(part.locate([key], "key"), { key: quoted(key), known, manifest }),
  );
}
