import { createHash } from "node:crypto";
import { chmod, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../../text/package-root.js";
import { dependencyVersions } from "../../../5-emit/project/dependency-versions.js";
import {
  RUNTIME_PACKAGE,
  runtimeDependency,
  runtimeFile,
} from "../../../5-emit/project/runtime-package.js";
import { bytesOf } from "../../../model/output-file.js";
import { installPackage } from "../runner/cached-package.js";
import { makeOnce } from "../runner/make-once.js";
import { installQuietly, runProgram } from "../runner/programs.js";

/** What tests keep of installed and built projects. */
export const testCache = fileURLToPath(
  new URL("node_modules/.cache/mcpwright-test-projects", packageRoot),
);

interface PackageFile {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly bin?: string | Readonly<Record<string, string>>;
}

/**
 * Installs a generated project's dependencies. Packages of the versions that mcpwright generates are links to one
 * installation of each; other projects with the same dependencies share an installation of their own. Both are
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
      for (const name of Object.keys(all)) await linkPackage(staging, name);
    } else {
      await vendorRuntime(staging);
      await installQuietly(staging);
    }
  });
  await symlink(join(shared, "node_modules"), join(folder, "node_modules"), "junction");
}

/** The packages that projects may have, in the versions that mcpwright generates. */
const usualVersions: Readonly<Record<string, string>> = {
  ...dependencyVersions,
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

/** Gives a folder a package of {@link usualVersions}, with its commands. */
async function linkPackage(folder: string, name: string): Promise<void> {
  const source = name === RUNTIME_PACKAGE ? await unpackedRuntime() : await packageFolder(name);
  const place = join(folder, "node_modules", name);
  await mkdir(dirname(place), { recursive: true });
  await symlink(source, place, "junction");
  const commands = commandsOf(name, await packageFileOf(source));
  const commandFolder = join(folder, "node_modules/.bin");
  await mkdir(commandFolder, { recursive: true });
  for (const [command, program] of Object.entries(commands)) {
    await symlink(relative(commandFolder, join(place, program)), join(commandFolder, command));
  }
}

/** The programs of a package's commands. */
function commandsOf(name: string, { bin = {} }: PackageFile): Readonly<Record<string, string>> {
  return typeof bin === "string" ? { [name.replace(/^.*\//, "")]: bin } : bin;
}

/** The folder of a package in the version that mcpwright generates. */
async function packageFolder(name: string): Promise<string> {
  return join(await installPackage(name, usualVersions[name] ?? ""), "node_modules", name);
}

async function packageFileOf(folder: string): Promise<PackageFile> {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as PackageFile;
}

/**
 * The folder of the unpacked runtime. It finds the packages that generated projects may have, and no other packages of
 * mcpwright.
 */
async function unpackedRuntime(): Promise<string> {
  const names = Object.keys(dependencyVersions).filter((name) => !NOT_IMPORTED.has(name));
  const shared = join(testCache, `runtime-${shortHash(JSON.stringify([usualVersions, names]))}`);
  const place = join("node_modules", RUNTIME_PACKAGE);
  await makeOnce(shared, async (staging) => {
    await writeFile(join(staging, "package.json"), '{ "private": true }');
    const unpacked = await unpackRuntime(staging);
    for (const program of Object.values(
      commandsOf(RUNTIME_PACKAGE, await packageFileOf(unpacked)),
    )) {
      await chmod(join(unpacked, program), 0o755);
    }
    for (const name of names) await linkFolder(staging, name);
  });
  return join(shared, place);
}

/** Unpacks the runtime into a folder's packages, and returns its folder. */
async function unpackRuntime(folder: string): Promise<string> {
  await vendorRuntime(folder);
  const unpacked = join(folder, "node_modules", RUNTIME_PACKAGE);
  await mkdir(unpacked, { recursive: true });
  const tarball = join(folder, runtimeFile().path);
  await runProgram(unpacked, "tar", ["-xzf", tarball, "--strip-components=1"]);
  return unpacked;
}

/** Gives a folder a package of {@link usualVersions}, without its commands. */
async function linkFolder(folder: string, name: string): Promise<void> {
  const link = join(folder, "node_modules", name);
  await mkdir(dirname(link), { recursive: true });
  await symlink(await packageFolder(name), link, "junction");
}

/**
 * Gives a folder the runtime with its own dependencies alone, as npm would, and some other packages that mcpwright generates
 * versions of: the runtime finds none that only projects name.
 */
export async function installRuntimeAlone(
  folder: string,
  others: readonly string[],
): Promise<void> {
  const { dependencies = {} } = await packageFileOf(await unpackRuntime(folder));
  for (const name of [...Object.keys(dependencies), ...others]) await linkFolder(folder, name);
}

/** Packages with commands for people, which the runtime does not import. */
const NOT_IMPORTED: ReadonlySet<string> = new Set([
  "@anthropic-ai/mcpb",
  "@modelcontextprotocol/inspector",
  "tsx",
]);

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
