import { readdirSync } from "node:fs";
import type { Feature } from "./features.js";
import { packageRoot, readPackaged } from "../text/package-root.js";

/** The folder of the files that are copied into projects, relative to the package. */
export const RUNTIME = "templates/runtime/";

let sourcePaths: readonly string[] | undefined;

/** Sorted paths of all source files of the runtime, without its own tests, relative to its folder. */
export function runtimePaths(): readonly string[] {
  sourcePaths ??= readdirSync(new URL(RUNTIME, packageRoot), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .sort();
  return sourcePaths;
}

/** The path that a file of the runtime has in a project. */
export function copiedPath(path: string): string {
  return path.startsWith("suite/") ? `test/generated/${path}` : `src/generated/runtime/${path}`;
}

/** The features by the folders (ending with a slash) and files of the runtime that they need. */
let featuresByPath: ReadonlyMap<string, Feature> | undefined;

function readFeatures(): ReadonlyMap<string, Feature> {
  const table = JSON.parse(readPackaged(`${RUNTIME}features.json`)) as Record<Feature, string[]>;
  const features = Object.entries(table) as [Feature, string[]][];
  return new Map(features.flatMap(([feature, paths]) => paths.map((path) => [path, feature])));
}

/**
 * The feature to which a file of the runtime belongs: the one that lists the file or, if none does, the nearest
 * folder around it.
 *
 * @throws if no feature lists the file or a folder around it
 */
export function featureOf(path: string): Feature {
  featuresByPath ??= readFeatures();
  for (let listed = path; listed !== ""; listed = parentFolder(listed)) {
    const feature = featuresByPath.get(listed);
    if (feature !== undefined) return feature;
  }
  throw new Error(`${RUNTIME}features.json does not say which feature needs ${path}`);
}

/** The folder around a file or a folder, ending with a slash; empty if there is none. */
function parentFolder(path: string): string {
  return path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
}
