import { copyFile, link, mkdir, readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packageRoot } from "../../../text/package-root.js";

/** The packages that mcpwright itself is developed with, which are those of generated projects. */
const ownModules = fileURLToPath(new URL("node_modules/", packageRoot));

/**
 * Puts mcpwright's own packages of these names, with all that they depend on, into the `node_modules` of a project, as
 * hard links. An `npm install` that follows finds those that fit, and unpacks the others only.
 */
export async function linkOwnPackages(folder: string, names: readonly string[]): Promise<void> {
  const linked = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (linked.has(name)) continue;
    linked.add(name);
    const dependencies = await dependenciesOf(name);
    // A package for another system, for example.
    if (dependencies === undefined) continue;
    waiting.push(...dependencies);
    await linkFolder(join(ownModules, name), join(folder, "node_modules", name));
  }
}

/** The names of the packages that an installed one depends on; `undefined` where it is not installed. */
async function dependenciesOf(name: string): Promise<readonly string[] | undefined> {
  const text = await readFile(join(ownModules, name, "package.json"), "utf8").catch(() => "");
  if (text === "") return undefined;
  const { dependencies, optionalDependencies } = JSON.parse(text) as {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  };
  return Object.keys({ ...dependencies, ...optionalDependencies });
}

/** Links each file of a folder. Where the folders are on different disks, it is copied. */
export async function linkFolder(source: string, target: string): Promise<void> {
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const place = join(target, path.slice(source.length));
    await mkdir(dirname(place), { recursive: true });
    await link(path, place).catch(() => copyFile(path, place));
  }
}
