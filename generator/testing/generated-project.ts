import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { run } from "../cli/run.js";

const execute = promisify(execFile);
const projectRoot = fileURLToPath(new URL("../../../", import.meta.url));

/** What generating, installing and building put into a project's folder: all but its user's own files. */
const made =
  /^(node_modules|dist|src\/generated|test\/generated|src\/main\.ts|SERVER\.md|mcp\.schema\.json|mcpwright\.lock\.json|package\.json|tsconfig\.json)$/;

/** A new folder with the files of an example that a person wrote; `name` shows in its path. */
export async function copyUserFiles(source: string, name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `mcpwright-${name}-`));
  await cp(source, folder, {
    recursive: true,
    filter: (path) => !made.test(relative(source, path).replaceAll("\\", "/")),
  });
  return folder;
}

export interface CommandResult {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a mcpwright command line in this process, as `mcpwright …argv` in that folder would. */
export async function mcpwright(folder: string, ...argv: string[]): Promise<CommandResult> {
  let out = "";
  let err = "";
  const status = await run(argv, {
    out: (text) => (out += text),
    err: (text) => (err += text),
    env: {},
    cwd: folder,
    color: { out: false, err: false },
  });
  return { status, out, err };
}

/**
 * Installs a generated project's dependencies. Projects with the same ones share an installation
 * that is kept in this package's `node_modules/.cache`; the registry is asked at most once.
 */
export async function installShared(folder: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const { dependencies, devDependencies } = manifest;
  const wanted = JSON.stringify({ dependencies, devDependencies }, null, 2);
  const key = createHash("sha256").update(wanted).digest("hex").slice(0, 16);
  const shared = join(projectRoot, "node_modules/.cache/mcpwright-test-projects", key);
  await makeOnce(shared, async (staging) => {
    await writeFile(join(staging, "package.json"), wanted);
    await npm(
      staging,
      "install",
      "--prefer-offline",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
    );
  });
  await symlink(join(shared, "node_modules"), join(folder, "node_modules"), "junction");
}

/** Makes a folder under a name that appears only when it is whole; two makers at once are harmless. */
export async function makeOnce(
  path: string,
  make: (staging: string) => Promise<void>,
): Promise<void> {
  const marker = join(path, "package.json");
  if (await readFile(marker).catch(() => undefined)) return;
  await mkdir(join(path, ".."), { recursive: true });
  const staging = await mkdtemp(`${path}-`);
  await make(staging);
  await rename(staging, path).catch(() => rm(staging, { recursive: true, force: true }));
}

/** Runs npm in a folder; throws with its output when it fails. */
export async function npm(folder: string, ...parameters: string[]): Promise<string> {
  return runProgram(folder, "npm", parameters);
}

/** Runs a program to its end; throws with all that it printed when it fails. */
export async function runProgram(
  folder: string,
  program: string,
  parameters: readonly string[],
): Promise<string> {
  try {
    const { stdout, stderr } = await execute(program, [...parameters], {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout + stderr;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`${program} ${parameters.join(" ")} failed in ${folder}\n${stdout}${stderr}`);
  }
}
