import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, posix, resolve, sep } from "node:path";
import { includedFromOutside } from "../model/catalogue/includes.js";
import { wholeFile } from "../model/place.js";
import { isOutside } from "./boundary.js";
import type { PartFiles, ReadResult } from "./read-result.js";

/**
 * The files on the disk beside a manifest.
 *
 * @param manifest its path
 * @param shownPath the path of the manifest that diagnostics carry
 * @param read reads a file that is in the folder
 */
export function partsOnDisk(
  manifest: string,
  shownPath: string,
  read: (path: string, shown: string) => ReadResult,
): PartFiles {
  const folder = dirname(manifest);
  const shown = (path: string): string => posix.join(dirname(shownPath), path);
  return {
    find: (pattern) => Promise.resolve(findParts(manifest, pattern).files),
    read: (path) => {
      const real = realPath(join(folder, path)) ?? join(folder, path);
      const result = isBelow(folder, real)
        ? read(real, shown(path))
        : { diagnostics: [includedFromOutside(wholeFile(shown(path)), {})] };
      return Promise.resolve(result);
    },
    shown,
  };
}

/** What a pattern finds on the disk. */
export interface FoundParts {
  /** Sorted, relative to the manifest's folder. */
  readonly files: readonly string[];
  /** The folders that were searched, in which a new file could fit. Absolute. */
  readonly folders: readonly string[];
}

/** Finds the files beside a manifest that a pattern describes. @param manifest its absolute path */
export function findParts(manifest: string, pattern: string): FoundParts {
  const folder = dirname(manifest);
  let found = [""];
  const folders = new Set<string>();
  for (const segment of segmentsOf(pattern)) {
    found = found.flatMap((parent) => {
      folders.add(resolve(folder, parent));
      if (!isBelow(folder, join(folder, parent))) return [];
      const names = segment.includes("*") ? namesIn(join(folder, parent)) : [segment];
      return names.filter((name) => fits(segment, name)).map((name) => `${parent}${name}/`);
    });
  }
  const files = found
    .map((path) => path.slice(0, -1))
    .filter((path) => path !== basename(manifest) && isNoFolder(join(folder, path)));
  return { files: files.sort(), folders: [...folders] };
}

/** True if a pattern describes a path. Both are relative, with slashes. */
export function describesPath(pattern: string, path: string): boolean {
  const [segments, names] = [segmentsOf(pattern), path.split("/")];
  if (segments.length !== names.length) return false;
  return segments.every((segment, index) => fits(segment, names[index] ?? ""));
}

/** Why a text is no pattern of files below the manifest's folder. Undefined if it is one. */
export function problemOfPattern(pattern: string): string | undefined {
  if (/^(?:[/~]|[a-z]:)/i.test(pattern)) return "it is not relative to the manifest's folder";
  if (/[\\?[\]{}!]|\*\*/.test(pattern)) return "only * stands for others, within one name";
  const segments = segmentsOf(pattern);
  if (segments.includes("..")) return "it leads out of the manifest's folder";
  return segments.length === 0 || segments.includes("") ? "a name is missing in it" : undefined;
}

const segmentsOf = (pattern: string): string[] =>
  pattern.split("/").filter((segment) => segment !== ".");

/** True if a name is a segment in which each `*` stands for any text. No step is repeated: each text between them is taken where it first occurs. */
function fits(segment: string, name: string): boolean {
  const [first = "", ...texts] = segment.split("*");
  const last = texts.pop();
  if (last === undefined) return segment === name;
  if (name.startsWith(".") && !first.startsWith(".")) return false;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const text of texts) {
    const next = name.indexOf(text, at);
    if (next === -1) return false;
    at = next + text.length;
  }
  return at <= name.length - last.length;
}

function namesIn(folder: string): string[] {
  if (isOutside(folder)) return [];
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** True for what can be read, and for what cannot be looked at, so that reading says why. */
function isNoFolder(path: string): boolean {
  if (isOutside(path)) return false;
  try {
    return !statSync(path).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
}

/** True for the folder itself and what lies below it, links resolved. */
function isBelow(folder: string, path: string): boolean {
  const [outer, inner] = [realPath(folder) ?? folder, realPath(path) ?? path];
  return join(inner, sep).startsWith(join(outer, sep));
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
