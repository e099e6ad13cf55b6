import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createTwoFilesPatch } from "diff";
import { packageRoot } from "../../text/package-root.js";
import { mcpwright } from "../harness/projects/generated-project.js";
import { installShared } from "../harness/projects/installed-packages.js";

/** `examples/evolution/`: a project in four versions of its manifest, with the code of its author. */
export const evolutionFolder = fileURLToPath(new URL("examples/evolution/", packageRoot));

/** A version of the project. Its folder under `story/` has the manifest, and the files that were written after it. */
const chapters = ["1-first-release", "2-new-name", "3-new-answer", "4-back-again"] as const;
export type ChapterName = (typeof chapters)[number];

/** Files by path. */
export type Files = ReadonlyMap<string, Buffer>;

/** What one `mcpwright generate` did. */
export interface Chapter {
  readonly name: ChapterName;
  /** What `mcpwright plan` had printed. */
  readonly plan: string;
  /** The author's files before and after. */
  readonly before: Files;
  readonly after: Files;
  /** New path → old path, of the author's files that moved. */
  readonly moved: ReadonlyMap<string, string>;
}

/** Files that are not the author's: generated, merged, installed or built ones, and the manifest of the story. */
const NOT_THE_AUTHORS =
  /^(node_modules|dist|story|vendor|src\/generated|test\/generated|src\/main\.ts|(?:SERVER|README)\.md|mcp\.yaml|mcp\.schema\.json|mcpwright\.lock\.json|package\.json|tsconfig\.json)(\/|$)/;

/**
 * Lives through the story in an empty folder: for each version plans and generates, and adds what
 * the author wrote. Installs the project's dependencies after the first.
 * @param generated called after each generation, before anything is written
 * @param written called when the version's files are written
 */
export async function liveStory(
  folder: string,
  generated: (chapter: Chapter) => Promise<void>,
  written: (name: ChapterName) => Promise<void> = async () => undefined,
): Promise<void> {
  for (const name of chapters) {
    const source = join(evolutionFolder, "story", name);
    await cp(join(source, "mcp.yaml"), join(folder, "mcp.yaml"));
    const before = await authorsFiles(folder);
    const plan = (await mcpwright(folder, "plan")).out;
    const { status, out, err } = await mcpwright(folder, "generate");
    if (status !== 0) throw new Error(`generate of ${name} ended with ${status}\n${out}${err}`);
    // With the dependencies in place, plan type-checks handlers whose types change.
    if (name === chapters[0]) await installShared(folder);
    await generated({
      name,
      plan,
      before,
      after: await authorsFiles(folder),
      moved: movesIn(plan),
    });
    const hands = join(source, "written");
    if (existsSync(hands)) await cp(hands, folder, { recursive: true, force: true });
    await written(name);
  }
}

/** New path → old path, as a plan has them on lines of their own. */
function movesIn(plan: string): Map<string, string> {
  return new Map(
    [...plan.matchAll(/^→ (\S+) → (\S+)/gm)].map(([, from = "", to = ""]) => [to, from]),
  );
}

/** The files of a project that are its author's. */
export async function authorsFiles(folder: string): Promise<Files> {
  const files = new Map<string, Buffer>();
  const visit = async (path: string): Promise<void> => {
    for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
      const child = path === "" ? entry.name : `${path}/${entry.name}`;
      if (NOT_THE_AUTHORS.test(child)) continue;
      if (entry.isDirectory()) await visit(child);
      else files.set(child, await readFile(join(folder, child)));
    }
  };
  await visit("");
  return new Map([...files].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** What a generation changed inside the author's files, as a diff; empty where it only moved them. */
function changesOf({ before, after, moved }: Chapter): string {
  const patches = [...after].flatMap(([path, content]) => {
    const from = moved.get(path) ?? path;
    const former = before.get(from);
    if (former === undefined || former.equals(content)) return [];
    const options = { context: 0 };
    const patch = createTwoFilesPatch(from, path, `${former}`, `${content}`, "", "", options);
    return [patch.slice(patch.indexOf("--- "))];
  });
  return patches.join("");
}

/** A text with its blocks between fences filled in, each by the comment before it: `<!-- 2-new-name: plan -->`. */
export function withBlocks(text: string, blocks: ReadonlyMap<string, string>): string {
  return text.replace(
    /(<!-- (.+?) -->\n+```\w*\n)[^]*?(^```$)/gm,
    (whole, start: string, name: string, end: string) => {
      const block = blocks.get(name);
      return block === undefined ? whole : start + block + end;
    },
  );
}

/** What a chapter has to show in the story's README. */
export function blocksOf(chapter: Chapter): [name: string, text: string][] {
  return [
    [`${chapter.name}: plan`, chapter.plan],
    [`${chapter.name}: your files`, changesOf(chapter)],
  ];
}

/** Writes the story's README and the project in which it ends. */
export async function retellStory(folder: string): Promise<void> {
  const blocks = new Map<string, string>();
  await liveStory(folder, async (chapter) => {
    for (const [name, text] of blocksOf(chapter)) blocks.set(name, text);
  });
  const readme = join(evolutionFolder, "README.md");
  await writeFile(readme, withBlocks(await readFile(readme, "utf8"), blocks));
  await cp(join(folder, "mcp.yaml"), join(evolutionFolder, "mcp.yaml"));
  for (const [path, content] of await authorsFiles(folder)) {
    const target = join(evolutionFolder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content);
  }
}
