import { versionDiffers } from "../model/catalogue/project.js";
import { isJsonObject, parsedJson, type JsonObject } from "../model/json.js";
import type { Plan } from "../model/plan.js";
import { placeOfKey, withReport } from "./reports.js";
import { isSwitchedOff } from "./switched-off.js";
import { textAt, type ProjectTree } from "./tree.js";

const PACKAGE = "package.json";

/**
 * Adds a diagnostic to the plan if the version in `package.json` differs from the version of the manifest, as after
 * `npm version`. The value in the file stays. Nothing is reported if the plan itself changes `package.json`.
 *
 * @param manifest the manifest in canonical form
 */
export async function withVersionDrift(
  plan: Plan,
  manifest: JsonObject,
  tree: ProjectTree,
): Promise<Plan> {
  const stated = manifest["version"];
  if (typeof stated !== "string" || stated === PACKAGE) return plan;
  if (isSwitchedOff(manifest, versionDiffers.entry.code)) return plan;
  const isConcerned =
    plan.operations.some(({ path }) => path === PACKAGE) ||
    plan.diagnostics.some(({ file, severity }) => file === PACKAGE || severity === "error");
  const text = isConcerned ? undefined : textAt(tree, PACKAGE);
  const found = text === undefined ? undefined : versionIn(text);
  if (text === undefined || found === undefined || found === stated) return plan;
  const place = await placeOfKey(PACKAGE, text, ["version"]);
  return withReport(plan, versionDiffers(place, { found, stated }), text);
}

/** The version in `package.json`; undefined if there is none, or if the file is not JSON, which other rules report. */
function versionIn(text: string): string | undefined {
  const content = parsedJson(text);
  const version = isJsonObject(content) ? content["version"] : undefined;
  return typeof version === "string" ? version : undefined;
}
