import { isJsonObject } from "../model/json.js";
import type { LoadedManifest, ManifestPath } from "../model/loaded-manifest.js";

/** The manifest as if it had only those tools in which something may be found; places are those of the whole. */
export function withoutKnownTools(manifest: LoadedManifest): LoadedManifest {
  const { knownTools, value } = manifest;
  const { tools } = value;
  if (knownTools === undefined || knownTools.size === 0 || !Array.isArray(tools)) return manifest;
  // A message may say which item of the list something is that is no tool.
  if (!tools.every(isJsonObject)) return manifest;
  const others = [...tools.entries()].filter(([, tool]) => !knownTools.has(tool));
  const inWhole = (path: ManifestPath): ManifestPath => {
    const [list, index, ...rest] = path;
    if (list !== "tools" || typeof index !== "number") return path;
    return [list, others[index]?.[0] ?? tools.length, ...rest];
  };
  return {
    ...manifest,
    value: { ...value, tools: others.map(([, tool]) => tool) },
    locate: (path, target) => manifest.locate(inWhole(path), target),
  };
}
