import { projectFile, versionDiffers } from "../model/catalogue/project.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { Plan } from "../model/plan.js";
import { placeOf } from "../text/text-place.js";
import { textAt, type ProjectTree } from "./tree.js";

const PACKAGE = "package.json";

/**
 * Reports that the version in `package.json` differs from the one that the server reports, as after `npm
 * version`. The person's value stays.
 * @param plan What a run will do. Nothing is reported where it changes `package.json` itself.
 * @param manifest The manifest in canonical form.
 * @returns the plan with that report
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

/** Undefined where there is none, or the file cannot be read; others report that. */
function versionIn(text: string): string | undefined {
  try {
    const content = JSON.parse(text) as JsonValue;
    const version = isJsonObject(content) ? content["version"] : undefined;
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
}
