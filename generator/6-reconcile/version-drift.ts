import { versionDiffers } from "../model/catalogue/project.js";
import { wholeFile } from "../model/place.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { Plan } from "../model/plan.js";
import { placeOf } from "../text/text-place.js";
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
  // Imported here, since few runs need this module.
  const { JsonDocument } = await import("./json-document.js");
  const key = JsonDocument.parse(text)?.keyRange(["version"]);
  const place = key === undefined ? wholeFile(PACKAGE) : placeOf(PACKAGE, text, key);
  return {
    ...plan,
    diagnostics: [...plan.diagnostics, versionDiffers(place, { found, stated })],
    sources: new Map([...(plan.sources ?? []), [PACKAGE, text]]),
  };
}

/** The version in `package.json`; undefined if there is none, or if the file is not JSON, which other rules report. */
function versionIn(text: string): string | undefined {
  try {
    const content = JSON.parse(text) as JsonValue;
    const version = isJsonObject(content) ? content["version"] : undefined;
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
