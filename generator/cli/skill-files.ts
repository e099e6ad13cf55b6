import { readdirSync, statSync, type Dirent } from "node:fs";
import { join } from "node:path";
import { isMap, LineCounter, parseDocument } from "yaml";
import { isOutside } from "../1-load/boundary.js";
import { readRegularFile } from "../1-load/regular-file.js";
import { itemsOf, textIn } from "../2-validate/manifest-view.js";
import {
  largeSkill,
  noSkill,
  skillTextUnreadable,
  skillTextWrong,
} from "../model/catalogue/skills.js";
import type { Diagnostic } from "../model/diagnostic.js";
import type { LoadedManifest } from "../model/loaded-manifest.js";
import { wholeFile, type Place } from "../model/place.js";
import { isSkillName, MOST_SKILL_NAME } from "../model/skills.js";
import { quoted } from "../text/value-words.js";
import { loadServers } from "./servers/load-servers.js";

/** What clients accept of one skill; see SEP-2640. */
const MOST_FILES = 512;
const MOST_BYTES = 16 * 1024 * 1024;
const MOST_DESCRIPTION = 1024;

/** A `SKILL.md` is read up to this length, in bytes. */
const MOST_TEXT = 1024 * 1024;

/** Folders are searched up to this depth, and this number of files. */
const MOST_DEPTH = 32;
const MOST_FOUND = 10_000;

/** The problems of skills, and the texts of the files that they are about, for code frames. */
export interface SkillProblems {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: ReadonlyMap<string, string>;
}

/**
 * Reads the `SKILL.md` files in the folders of skills that a manifest names.
 *
 * @param folder the absolute path of the manifest's folder
 * @param shown the path of a file in that folder as diagnostics show it
 */
export async function checkSkillFiles(
  manifest: LoadedManifest,
  folder: string,
  shown: (path: string) => string,
): Promise<SkillProblems> {
  const sources = new Map<string, string>();
  const found = itemsOf(manifest, "skills").map(async ({ path, value }) => {
    const root = textIn(value, "root");
    if (root === undefined) return [];
    const files = filesBelow(join(folder, root));
    const skills = files.filter((file) => file === "SKILL.md" || file.endsWith("/SKILL.md"));
    if (skills.length === 0) {
      const place = manifest.locate([...path, "root"], "value");
      return [noSkill(place, { root: quoted(root) })];
    }
    const problems = skills.map(async (skill) => {
      const at = `${root}/${skill}`;
      const own = skill.slice(0, -"SKILL.md".length);
      const inside = files.filter((file) => file.startsWith(own));
      return [
        ...(await textProblems(join(folder, at), shown(at), sources)),
        ...sizeProblems(join(folder, root), inside, shown(at)),
      ];
    });
    return (await Promise.all(problems)).flat();
  });
  return { diagnostics: (await Promise.all(found)).flat(), sources };
}

/** The paths of the files in a folder, with slashes. Files and folders whose names begin with a dot are not served. */
function filesBelow(folder: string): string[] {
  const files: string[] = [];
  const visit = (path: string, depth: number): void => {
    for (const entry of entriesOf(join(folder, path))) {
      if (entry.name.startsWith(".") || files.length >= MOST_FOUND) continue;
      const below = path === "" ? entry.name : `${path}/${entry.name}`;
      if (entry.isFile()) files.push(below);
      else if (entry.isDirectory() && depth < MOST_DEPTH) visit(below, depth + 1);
    }
  };
  visit("", 0);
  return files;
}

function entriesOf(folder: string): Dirent[] {
  if (isOutside(folder)) return [];
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function sizeProblems(folder: string, files: readonly string[], shown: string): Diagnostic[] {
  const bytes = files.reduce((sum, file) => sum + sizeOf(join(folder, file)), 0);
  if (files.length <= MOST_FILES && bytes <= MOST_BYTES) return [];
  return [largeSkill(wholeFile(shown), { files: files.length, bytes })];
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}

/** The problems of the text of a skill: its YAML, name and description, and what the SDK does not read. */
async function textProblems(
  path: string,
  shown: string,
  sources: Map<string, string>,
): Promise<Diagnostic[]> {
  const read = readRegularFile(path, MOST_TEXT);
  if (!("bytes" in read)) return [skillTextUnreadable(wholeFile(shown), {})];
  const text = new TextDecoder().decode(read.bytes);
  sources.set(shown, text);
  const problems = frontmatterProblems(text, shown);
  if (problems.length > 0) return problems;
  const { skillProblems } = await loadServers();
  const unread = await skillProblems(folderOf(shown), read.bytes);
  return unread.map(({ problem, line = lineOfKey(text, problem) }) =>
    skillTextWrong({ ...wholeFile(shown), line, endLine: line }, { problem }),
  );
}

/** The line of the key of which a sentence of the SDK says "frontmatter KEY must"; 1 if there is none. */
function lineOfKey(text: string, problem: string): number {
  const [, key] = /^frontmatter (\S+) must/.exec(problem) ?? [];
  return (
    text.split("\n").findIndex((line) => key !== undefined && line.startsWith(`${key}:`)) + 1 || 1
  );
}

function folderOf(path: string): string {
  return path.split("/").at(-2) ?? "";
}

/** What in the YAML of a skill is wrong, each at its place. */
function frontmatterProblems(text: string, shown: string): Diagnostic[] {
  const wrong = (place: Place, problem: string): Diagnostic => skillTextWrong(place, { problem });
  const [, yaml] = /^---\r?\n(.*?)^---[\t ]*$/ms.exec(text) ?? [];
  if (yaml === undefined || !text.startsWith("---")) {
    return [wrong(wholeFile(shown), 'it must begin with YAML between two lines "---"')];
  }
  const lineCounter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter, prettyErrors: false });
  const placeAt = (offset: number): Place => {
    const { line, col } = lineCounter.linePos(offset);
    return { ...wholeFile(shown), line: line + 1, endLine: line + 1, column: col, endColumn: col };
  };
  const [error] = document.errors;
  if (error !== undefined)
    return [wrong(placeAt(error.pos[0]), `it is not YAML: ${error.message}`)];
  const { contents } = document;
  if (!isMap(contents)) return [wrong(placeAt(0), "its YAML must be a mapping")];
  return Object.entries({
    name: nameProblem(folderOf(shown)),
    description: descriptionProblem,
  }).flatMap(([key, problemOf]) => {
    const value = document.get(key);
    const problem = problemOf(value);
    const node = document.get(key, true) as { range?: [number, number, number] } | undefined;
    return problem === undefined ? [] : [wrong(placeAt(node?.range?.[0] ?? 0), problem)];
  });
}

function nameProblem(folder: string): (name: unknown) => string | undefined {
  return (name) => {
    if (typeof name !== "string") return "it needs a `name`, which is a text";
    if (!isSkillName(name)) {
      return `its name ${quoted(name)} is none: 1 to ${MOST_SKILL_NAME} small letters, digits and single hyphens`;
    }
    return name === folder
      ? undefined
      : `its name ${quoted(name)} is not that of its folder, ${quoted(folder)}`;
  };
}

function descriptionProblem(description: unknown): string | undefined {
  if (typeof description !== "string") return "it needs a `description`, which is a text";
  const { length } = [...description];
  return length >= 1 && length <= MOST_DESCRIPTION
    ? undefined
    : `its description has ${length} characters, and 1 to ${MOST_DESCRIPTION} are allowed`;
}
