import { execFile, type ExecFileException } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { packageRoot } from "../../../text/package-root.js";
import { dependencyVersions } from "../../../5-emit/project/dependency-versions.js";
import {
  RUNTIME_PACKAGE,
  runtimeDependency,
  runtimeFile,
} from "../../../5-emit/project/runtime-package.js";
import { run } from "../../../cli/run.js";
import { bytesOf } from "../../../model/output-file.js";

const execute = promisify(execFile);
const projectRoot = fileURLToPath(packageRoot);

/** What tests keep of installed and built projects. */
export const testCache = join(projectRoot, "node_modules/.cache/mcpwright-test-projects");

/** What generating, installing and building put into a project's folder: all but its user's own files. */
const made =
  /^(node_modules|dist|src\/generated|test\/generated|src\/main\.ts|SERVER\.md|vendor|mcpwright\.lock\.json|package\.json|tsconfig\.json)$/;

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
  return mcpwrightWith({}, folder, ...argv);
}

/** As `mcpwright`, with environment variables. */
export async function mcpwrightWith(
  env: Readonly<Record<string, string>>,
  folder: string,
  ...argv: string[]
): Promise<CommandResult> {
  let out = "";
  let err = "";
  const status = await run(argv, {
    out: (text) => (out += text),
    err: (text) => (err += text),
    env,
    cwd: folder,
    color: { out: false, err: false },
  });
  return { status, out, err };
}

/**
 * Installs a generated project's dependencies. Packages of the versions that mcpwright generates are links into one
 * installation of them all; other projects with the same dependencies share an installation of their own. Both are
 * kept in this package's `node_modules/.cache`, and the registry is asked at most once.
 */
export async function installShared(folder: string): Promise<void> {
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const { dependencies, devDependencies } = manifest;
  const wanted = JSON.stringify({ dependencies, devDependencies }, null, 2);
  // The examples name the runtime by a path, at which each build puts another one.
  const shared = join(testCache, shortHash(`${wanted}${JSON.stringify(runtimeDependency())}`));
  await makeOnce(shared, async (staging) => {
    await writeFile(join(staging, "package.json"), wanted);
    const all = { ...dependencies, ...devDependencies };
    if (Object.entries(all).every(isUsual)) {
      await linkPackages(staging, Object.keys(all));
    } else {
      await vendorRuntime(staging);
      await installQuietly(staging);
    }
  });
  await symlink(join(shared, "node_modules"), join(folder, "node_modules"), "junction");
}

const { "@modelcontextprotocol/inspector": _, ...packageVersions } = dependencyVersions;

/** The packages that projects may have, in the versions that mcpwright generates. */
const usualVersions: Readonly<Record<string, string>> = {
  ...packageVersions,
  ...(runtimeDependency() as Record<string, string>),
};

/** The examples name the runtime that the build has packed. */
const BUILT_RUNTIME = "file:../../dist/runtime.tgz";

function isUsual([name, version]: readonly [string, string]): boolean {
  const isRuntime = name === RUNTIME_PACKAGE && version === BUILT_RUNTIME;
  return isRuntime || usualVersions[name] === version;
}

/** Puts the tarball of the runtime where the package file of a generated project names it. */
async function vendorRuntime(folder: string): Promise<void> {
  const file = runtimeFile();
  await mkdir(dirname(join(folder, file.path)), { recursive: true });
  await writeFile(join(folder, file.path), bytesOf(file));
}

/**
 * Gives a folder some of the packages of {@link usualVersions}, and no others. The packages of the SDK share one zod, as
 * they do in a project that has no other: mcpb wants an older one, which npm would put in its place.
 */
async function linkPackages(folder: string, names: readonly string[]): Promise<void> {
  const wanted = JSON.stringify({ dependencies: { ...usualVersions, zod: await zodVersion() } });
  const all = join(testCache, `all-${shortHash(wanted)}`);
  await makeOnce(all, async (staging) => {
    await writeFile(join(staging, "package.json"), wanted);
    await vendorRuntime(staging);
    await installQuietly(staging);
  });
  for (const name of [".bin", ...names]) {
    const place = join(folder, "node_modules", name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(all, "node_modules", name), place, "junction");
  }
}

/** The version of zod with which mcpwright itself runs the SDK. */
async function zodVersion(): Promise<string> {
  const about = await readFile(join(projectRoot, "node_modules/zod/package.json"), "utf8");
  return (JSON.parse(about) as { readonly version: string }).version;
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Runs `npm install` without requests for anything but packages. */
export async function installQuietly(folder: string, ...wanted: string[]): Promise<void> {
  const quiet = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund"];
  await npm(folder, "install", ...wanted, ...quiet);
}

/** Makes a folder under a name that appears only when it is whole. Of several makers at once one makes it. */
export async function makeOnce(
  path: string,
  make: (staging: string) => Promise<void>,
): Promise<void> {
  const hasResult = (): boolean => existsSync(join(path, "package.json"));
  const lock = `${path}.lock`;
  await mkdir(dirname(path), { recursive: true });
  while (!hasResult()) {
    if (!(await isTaken(lock))) break;
    await delay(50);
  }
  if (hasResult()) return;
  try {
    const staging = await mkdtemp(`${path}-`);
    await make(staging);
    await rename(staging, path).catch(() => rm(staging, { recursive: true, force: true }));
  } finally {
    await rm(lock, { force: true });
  }
}

/** Takes a lock for this process. @returns whether a process that still runs has it already */
async function isTaken(lock: string): Promise<boolean> {
  try {
    await writeFile(lock, String(process.pid), { flag: "wx" });
    return false;
  } catch {
    const owner = Number(await readFile(lock, "utf8").catch(() => ""));
    // Between its creation and its content a lock has no owner yet.
    if (owner > 0 && !isRunning(owner)) await rm(lock, { force: true });
    return true;
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Runs npm in a folder; throws with its output when it fails. */
export async function npm(folder: string, ...parameters: string[]): Promise<string> {
  return runProgram(folder, "npm", parameters);
}

/** A program that has not ended by then hangs, on any machine. */
const PROGRAM_LIMIT_MS = 15 * 60_000;

/**
 * Runs a program to its end, with these variables beside those of this process; throws with all that it printed when it
 * fails, or does not end.
 */
export async function runProgram(
  folder: string,
  program: string,
  parameters: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const { stdout, stderr } = await execute(program, [...parameters], {
      cwd: folder,
      env: { ...process.env, ...env },
      maxBuffer: 64 * 1024 * 1024,
      timeout: PROGRAM_LIMIT_MS,
      killSignal: "SIGKILL",
    });
    return stdout + stderr;
  } catch (error) {
    const { stdout = "", stderr = "", killed, code } = error as Partial<ExecFileException>;
    const happened = killed === true && code === null ? "did not end" : "failed";
    const command = `${program} ${parameters.join(" ")}`;
    throw new Error(`${command} ${happened} in ${folder}\n${stdout}${stderr}`);
  }
}
