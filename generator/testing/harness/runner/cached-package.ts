import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../../text/package-root.js";
import { installQuietly } from "./programs.js";
import { makeOnce } from "./make-once.js";

const cache = fileURLToPath(new URL("node_modules/.cache/", packageRoot));

/** The folder of a package of mcpwright's own. */
const ownFolder = (name: string): string =>
  fileURLToPath(new URL(`node_modules/${name}`, packageRoot));

/** Why a program that npm has for Linux on x64 does not run on this machine; undefined if it does. */
export function whyNoLinuxProgram(name: string): string | undefined {
  const isLinuxOnX64 = process.platform === "linux" && process.arch === "x64";
  return isLinuxOnX64 ? undefined : `${name} is for Linux on x64`;
}

/**
 * Installs a package that tests use, once; later runs find it there. mcpwright's own is used where it has the version.
 * @returns the folder whose `node_modules` has it
 */
export async function installPackage(name: string, version: string): Promise<string> {
  const own = await readFile(join(ownFolder(name), "package.json"), "utf8").catch(() => "{}");
  const { version: ownVersion } = JSON.parse(own) as { readonly version?: string };
  if (ownVersion === version) return fileURLToPath(packageRoot);
  return installPackages(`${name.replace("/", "-").replace("@", "")}-${version}`, {
    [name]: version,
  });
}

/**
 * Installs tools that only tests run, once, in one folder with this name.
 * @returns the folder whose `node_modules` has them
 */
export async function installPackages(
  folderName: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = join(cache, folderName);
  const found = await readFile(join(folder, "package.json"), "utf8").catch(() => undefined);
  if (found !== undefined) return folder;
  await makeOnce(folder, async (staging) => {
    const wanted = { private: true, dependencies };
    await writeFile(join(staging, "package.json"), JSON.stringify(wanted));
    await installQuietly(staging);
  });
  return folder;
}
