import { lstat, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../../text/package-root.js";
import { runProgram } from "../runner/programs.js";

/** Path of the command as the package ships it, in one bundle. Tests that need a process of its own start it. */
export const bin = fileURLToPath(new URL("dist/generator/bundle/main.js", packageRoot));

/** Folders of one test file, which remove themselves. */
export class TestFolders {
  private readonly folders: string[] = [];

  async make(name: string): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), `mcpwright-${name}-`));
    this.folders.push(folder);
    return folder;
  }

  /** To be called after all tests. */
  remove = async (): Promise<void> => {
    for (const folder of this.folders) await rm(folder, { recursive: true, force: true });
  };
}

/** One tool a line, apart from each other, so that version control merges two additions. */
export function spacedManifest(tools: readonly string[], version = "1.0.0"): string {
  const items = tools.map((tool) => `  - name: ${tool}\n    description: Does ${tool}.\n`);
  return `name: demo\nversion: ${version}\ntools:\n${items.join("\n")}`;
}

/** Makes the folders above, too. */
export async function write(
  folder: string,
  path: string,
  text: string | Uint8Array,
): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

export function read(folder: string, path: string): Promise<string> {
  return readFile(join(folder, path), "utf8");
}

export async function edit(
  folder: string,
  path: string,
  change: (text: string) => string,
): Promise<void> {
  const text = await read(folder, path);
  const changed = change(text);
  if (changed === text) throw new Error(`nothing to change in ${path}`);
  await write(folder, path, changed);
}

/** Returns the files of a folder with their bytes as Latin-1, and the links with their targets, without the folders of git and npm. */
export async function snapshot(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !/^(\.git|node_modules)\//.test(path))
    .sort();
  for (const path of paths) {
    const isFile = (await lstat(join(folder, path))).isFile();
    found[path] = isFile ? await readFile(join(folder, path), "latin1") : "no plain file";
  }
  return found;
}

/** The files that two folders do not both have with the same bytes, those of git and npm aside. */
export async function differences(folder: string, other: string): Promise<string[]> {
  const [one, two] = [await snapshot(folder), await snapshot(other)];
  return Object.keys({ ...one, ...two }).filter((path) => one[path] !== two[path]);
}

/** Every path below a folder, folders too, with its time of change, size and mode. */
export async function times(folder: string): Promise<string[]> {
  const names = ["", ...(await readdir(folder, { recursive: true }))].sort();
  const lines = names.map(async (name) => {
    const { mtimeMs, size, mode } = await lstat(join(folder, name));
    return `${name} ${mtimeMs} ${size} ${mode}`;
  });
  return Promise.all(lines);
}

export function git(folder: string, ...parameters: string[]): Promise<string> {
  const settings = { "user.name": "A", "user.email": "a@a.example", "commit.gpgsign": "false" };
  const given = Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  return runProgram(folder, "git", [...given, ...parameters]);
}

export async function commit(folder: string, message: string): Promise<void> {
  await git(folder, "add", "--all");
  await git(folder, "commit", "--quiet", "--message", message);
}
