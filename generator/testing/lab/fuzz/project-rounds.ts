import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { testProjects } from "../../harness/projects/built-project.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import { randomProject, type RandomProject } from "./random-projects.js";

/** What became of the projects of some seeds. */
export interface ProjectRounds {
  /** How many manifests had no error, so that their projects were tested. */
  readonly tested: number;
  /** The errors of the other manifests, with the features of each. */
  readonly refused: readonly string[];
}

/**
 * Generates projects of random features, in one folder for each seed, and compiles and tests them together.
 *
 * @throws Error with the output of the compiler or of the tests where a project does not pass
 */
export async function testRandomProjects(firstSeed: number, count: number): Promise<ProjectRounds> {
  const root = await mkdtemp(join(tmpdir(), "mcpwright-random-"));
  try {
    const folders: string[] = [];
    const refused: string[] = [];
    for (let seed = firstSeed; seed < firstSeed + count; seed += 1) {
      const project = randomProject(seed);
      const folder = join(root, `seed-${seed}`);
      const errors = await generated(project, folder);
      if (errors === undefined) folders.push(folder);
      else refused.push(`${project.features.join(", ")}: ${errors}`);
    }
    if (folders.length > 0) await testProjects(folders);
    return { tested: folders.length, refused };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Generates a project, and gives it its packages. @returns the errors of its manifest; undefined if it has none */
async function generated(
  { manifest, files, features }: RandomProject,
  folder: string,
): Promise<string | undefined> {
  const texts = { ...files, "mcp.yaml": `# ${features.join(", ")}\n${JSON.stringify(manifest)}\n` };
  for (const [path, text] of Object.entries(texts)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const { status, err } = await mcpwright(folder, "generate", "--quiet");
  if (status !== 0) return (err.match(/error MW.*/g) ?? [err]).join("; ");
  await installShared(folder);
  return undefined;
}
