import coerce from "semver/functions/coerce.js";
import prerelease from "semver/functions/prerelease.js";
import satisfies from "semver/functions/satisfies.js";
import validRange from "semver/ranges/valid.js";
import { RUNTIME_PACKAGE, runtimeVersion } from "../5-emit/project/runtime-package.js";
import { runtimeDiffers } from "../model/catalogue/project.js";
import type { JsonObject } from "../model/json.js";
import type { Plan } from "../model/plan.js";
import { placeOfKey, withReport } from "./reports.js";
import { chosenRuntime } from "./runtime-source.js";
import { isSwitchedOff } from "./switched-off.js";
import { textAt, type ProjectTree } from "./tree.js";

const PACKAGE = "package.json";

/**
 * Adds a diagnostic to the plan if the runtime that `package.json` names is not the one that the code is generated for.
 *
 * @param manifest the manifest in canonical form
 * @param installedOf tells what such a specifier gives, where package.json does not say it
 */
export async function withRuntimeFit(
  plan: Plan,
  manifest: JsonObject,
  tree: ProjectTree,
  installedOf?: InstalledOf,
): Promise<Plan> {
  const choice = chosenRuntime(tree);
  const text = textAt(tree, PACKAGE);
  if (choice === undefined || text === undefined) return plan;
  if (isSwitchedOff(manifest, runtimeDiffers.entry.code)) return plan;
  const needed = runtimeVersion();
  const judged = judge(choice.specifier, needed, installedOf);
  if (judged === undefined) return plan;
  const place = await placeOfKey(PACKAGE, text, [choice.section, RUNTIME_PACKAGE]);
  const facts = { ...judged, needed, specifier: choice.specifier };
  return withReport(plan, runtimeDiffers(place, facts), text);
}

/** What a specifier gives in place of the needed version. */
export type UnfittingRuntime = "another" | "any";

/** What was looked at to find the version that a specifier gives. */
export interface InstalledRuntime {
  /** The version that is there; undefined if none is. */
  readonly version?: string;
  /** In words. */
  readonly place: string;
}

/** Looks for the runtime that a specifier gives. */
export type InstalledOf = (specifier: string) => InstalledRuntime;

/** Undefined if what a specifier gives fits, by its own words or by what is installed where it does not tell. */
function judge(
  specifier: string,
  needed: string,
  installedOf: InstalledOf | undefined,
):
  | { readonly gives: UnfittingRuntime | "unknown"; readonly installed?: InstalledRuntime }
  | undefined {
  const gives = unfitting(specifier, needed);
  const isDecided = gives === "another" || (gives === undefined && namesVersions(specifier));
  const installed = isDecided ? undefined : installedOf?.(specifier);
  if (installed === undefined) return gives === undefined ? undefined : { gives };
  if (installed.version === undefined) return { gives: gives ?? "unknown", installed };
  if (!isAsGood(installed.version, needed)) return { gives: "another", installed };
  return gives === undefined ? undefined : { gives };
}

/** True if a specifier says which versions it gives. */
function namesVersions(specifier: string): boolean {
  return unfitting(specifier, "0.0.0-none") === "another";
}

/** True for the needed version, or a published one that is no older and breaks nothing. */
function isAsGood(version: string, needed: string): boolean {
  if (version === needed) return true;
  const published = coerce(needed)?.version;
  return prerelease(version) === null && satisfies(version, `^${published}`);
}

/**
 * Undefined if a specifier gives the needed version, or names a folder, a member of the workspace or a catalogue, of which
 * `package.json` does not say what they have.
 */
export function unfitting(specifier: string, needed: string): UnfittingRuntime | undefined {
  const tarball = /-(\d+\.\d+\.\d+[^/]*)\.t(?:ar\.)?gz$/.exec(specifier)?.[1];
  if (tarball !== undefined) return tarball === needed ? undefined : "another";
  const range = specifier.replace(/^(?:workspace:|npm:(?:@[^@]*|[^@]*)@)/, "");
  const isOfWorkspace = specifier.startsWith("workspace:");
  if (isOfWorkspace && /^[*^~]?$/.test(range)) return undefined;
  if (/^[a-z+]+:|^[./]|^~\/|^\w[\w-]*\//i.test(range))
    return isRepository(range) ? "any" : undefined;
  if (validRange(range) === null || validRange(range) === "*") return "any";
  return isIn(needed, range) ? undefined : "another";
}

/** True for the place of a package whose version changes without a change of the specifier. */
function isRepository(specifier: string): boolean {
  return /^(?:git|https?|github|gitlab|bitbucket|gist)\b|^\w[\w-]*\//i.test(specifier);
}

/** True if a version is in a range. The version of a runtime that is not on a registry ends with a hash of its content. */
function isIn(version: string, range: string): boolean {
  const isUnpublished = prerelease(version) !== null;
  const published = isUnpublished ? coerce(version)?.version : undefined;
  return satisfies(version, range) || (published !== undefined && satisfies(published, range));
}
