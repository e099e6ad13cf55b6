import { projectFile, versionDiffers } from "../model/catalogue/project.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { Plan } from "../model/plan.js";
import { placeOf } from "../text/text-place.js";
import { textAt, type ProjectTree } from "./tree.js";

const PACKAGE = "package.json";

/**
 * Says where a package is published as another version than its server reports, as after
 * `npm version`: the person's value stays, and nothing else would tell.
 *
 * @param plan what a run will do; where that concerns `package.json`, its own words are enough
 * @param manifest the manifest in canonical form
 * @returns the plan, with that said
 */
export async function withVersionDrift(
  plan: Plan,
  manifest: JsonObject,
  tree: ProjectTree,
): Promise<Plan> {
  const stated = manifest["version"];
  if (typeof stated !== "string" || stated === PACKAGE || isSwitchedOff(manifest)) return plan;
  const isConcerned =
    plan.operations.some(({ path }) => path === PACKAGE) ||
    plan.diagnostics.some(({ file, severity }) => file === PACKAGE || severity === "error");
  const text = isConcerned ? undefined : textAt(tree, PACKAGE);
  const found = text === undefined ? undefined : versionIn(text);
  if (text === undefined || found === undefined || found === stated) return plan;
  // Few runs come here, and reading JSON with its places costs a module more.
  const { JsonDocument } = await import("./json-document.js");
  const key = JsonDocument.parse(text)?.keyRange(["version"]);
  const place = key === undefined ? projectFile(PACKAGE) : placeOf(PACKAGE, text, key);
  return {
    ...plan,
    diagnostics: [...plan.diagnostics, versionDiffers(place, { found, stated })],
    sources: new Map([...(plan.sources ?? []), [PACKAGE, text]]),
  };
}

function isSwitchedOff({ diagnostics = {} }: JsonObject): boolean {
  return isJsonObject(diagnostics) && diagnostics[versionDiffers.entry.code] === "off";
}

/** Undefined where there is none, or the file cannot be read; that is for others to say. */
function versionIn(text: string): string | undefined {
  try {
    const content = JSON.parse(text) as JsonValue;
    const version = isJsonObject(content) ? content["version"] : undefined;
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
