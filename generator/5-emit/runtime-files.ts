import { readdirSync } from "node:fs";
import type { Feature } from "./features.js";
import { packageRoot, readPackaged } from "../text/package-root.js";

/** The folder of the files that are copied into projects, from the folder of the package. */
export const RUNTIME = "templates/runtime/";

/** All source files of the runtime without its own tests, sorted; paths from its folder. */
export function runtimePaths(): string[] {
  return readdirSync(new URL(RUNTIME, packageRoot), { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .sort();
}

/** Where a project has its copy of a file of the runtime. */
export function copiedPath(path: string): string {
  return path.startsWith("suite/") ? `test/generated/${path}` : `src/generated/runtime/${path}`;
}

/** Folders (with a slash at their end) and files of the runtime, by the feature that needs them. */
type FeatureFiles = Readonly<Record<Feature, readonly string[]>>;

let featureFiles: FeatureFiles | undefined;

/**
 * The feature that a file belongs to: the one that lists the file or, where none does, the nearest folder
 * around it.
 */
export function featureOf(path: string): Feature {
  featureFiles ??= JSON.parse(readPackaged(`${RUNTIME}features.json`)) as FeatureFiles;
  const features = Object.entries(featureFiles) as [Feature, readonly string[]][];
  for (let place = path; place !== ""; place = parentFolder(place)) {
    const feature = features.find(([, places]) => places.includes(place));
    if (feature !== undefined) return feature[0];
  }
  throw new Error(`${RUNTIME}features.json does not say which feature needs ${path}`);
}

/** The folder around a file or a folder, with a slash at its end; empty for the outermost. */
function parentFolder(place: string): string {
  return place.slice(0, place.lastIndexOf("/", place.length - 2) + 1);
}
