import { projectFile, versionDiffers } from "../model/catalogue/project.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { Plan } from "../model/plan.js";
import { decodeText } from "../text/line-ends.js";
import type { ProjectTree } from "./tree.js";

const PACKAGE = "package.json";

/**
 * Says where a package is published as another version than its server reports, as after
 * `npm version`: the person's value stays, and nothing else would tell.
 *
 * @param plan what a run will do; where that concerns `package.json`, its own words are enough
 * @param manifest the manifest in canonical form
 */
export function versionDrift(plan: Plan, manifest: JsonObject, tree: ProjectTree): Diagnostic[] {
  const stated = manifest["version"];
  if (typeof stated !== "string" || stated === PACKAGE || isSwitchedOff(manifest)) return [];
  const isConcerned =
    plan.operations.some(({ path }) => path === PACKAGE) ||
    plan.diagnostics.some(({ file, severity }) => file === PACKAGE || severity === "error");
  const found = isConcerned ? undefined : versionIn(tree);
  if (found === undefined || found === stated) return [];
  return [versionDiffers(projectFile(PACKAGE), { found, stated })];
}

function isSwitchedOff({ diagnostics = {} }: JsonObject): boolean {
  return isJsonObject(diagnostics) && diagnostics[versionDiffers.entry.code] === "off";
}

/** Undefined where the file has none, or cannot be read; that is for others to say. */
function versionIn(tree: ProjectTree): string | undefined {
  if (tree.entry(PACKAGE).kind !== "file") return undefined;
  try {
    const content = JSON.parse(decodeText(tree.read(PACKAGE))?.text ?? "") as JsonValue;
    const version = isJsonObject(content) ? content["version"] : undefined;
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
