import { readdirSync } from "node:fs";
import type { Feature } from "./features.js";
import { packageRoot, readPackaged } from "../text/package-root.js";

/** The folder of the files that are copied into projects, relative to the package. */
export const RUNTIME = "templates/runtime/";

/** Sorted paths of all source files of the runtime, without its own tests, relative to its folder. */
export function runtimePaths(): string[] {
  return readdirSync(new URL(RUNTIME, packageRoot), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .sort();
}

/** The path that a file of the runtime has in a project. */
export function copiedPath(path: string): string {
  return path.startsWith("suite/") ? `test/generated/${path}` : `src/generated/runtime/${path}`;
}

/** Folders (ending with a slash) and files of the runtime, by the feature that needs them. */
type FeatureFiles = Readonly<Record<Feature, readonly string[]>>;

let featureFiles: FeatureFiles | undefined;

/**
 * The feature to which a file of the runtime belongs: the one that lists the file or, if none does, the nearest
 * folder around it.
 *
 * @throws if no feature lists the file or a folder around it
 */
export function featureOf(path: string): Feature {
  featureFiles ??= JSON.parse(readPackaged(`${RUNTIME}features.json`)) as FeatureFiles;
  const features = Object.entries(featureFiles) as [Feature, readonly string[]][];
  for (let listed = path; listed !== ""; listed = parentFolder(listed)) {
    const feature = features.find(([, paths]) => paths.includes(listed));
    if (feature !== undefined) return feature[0];
  }
  throw new Error(`${RUNTIME}features.json does not say which feature needs ${path}`);
}

/** The folder around a file or a folder, ending with a slash; empty if there is none. */
function parentFolder(path: string): string {
  return path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
}
