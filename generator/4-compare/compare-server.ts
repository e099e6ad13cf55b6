import parse from "semver/functions/parse.js";
import type { JsonObject } from "../model/json.js";
import { isJsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { SemanticChange } from "../model/plan.js";
import { olderErasRefused, olderErasServed } from "./catalogue/access.js";
import {
  breakingNeedsMajorVersion,
  breakingWithoutMajorVersion,
  environmentVariableNarrowed,
  environmentVariableNewlyRequired,
  serverNameChanged,
} from "./catalogue/server.js";
import { instructionsChanged } from "./catalogue/texts.js";
import { compareAudit, compareTelemetry } from "./compare-audit.js";
import { compareAuthentication } from "./compare-authentication.js";
import { compareDeployment } from "./compare-deploy.js";
import { compareCard, compareExtensions } from "./compare-extensions.js";
import { comparePackage } from "./compare-package.js";
import { compareRestrictions } from "./compare-restrictions.js";
import { compareServing } from "./compare-serving.js";
import { compareText, compareTexts } from "./compare-texts.js";
import { mappingOf, textOf } from "./manifest-items.js";
import { placeAt } from "../model/change-places.js";
import { jsonList } from "./wording.js";

/** The changes of what holds for the whole server, such as its name, texts and environment variables. */
export function compareServer(before: JsonObject, after: JsonObject): SemanticChange[] {
  return [
    ...compareName(before, after),
    ...compareTexts(before, after, placeAt()),
    ...compareText(before, after, "instructions", instructionsChanged, placeAt()),
    ...compareEras(before, after),
    ...compareEnvironment(before, after),
    ...compareAuthentication(before, after),
    ...compareAudit(before, after),
    ...compareTelemetry(before, after),
    ...compareRestrictions(before, after),
    ...compareServing(before, after),
    ...compareExtensions(before, after),
    ...compareCard(before, after),
    ...comparePackage(before, after),
    ...compareDeployment(before, after),
  ];
}

function compareName(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [textOf(before, "name"), textOf(after, "name")];
  if (was === undefined || is === undefined || was === is) return [];
  return [serverNameChanged(placeAt("name"), { before: was, after: is })];
}

function compareEras(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [before, after].map(
    (manifest) => textOf(mappingOf(manifest, "protocol"), "legacy") ?? "serve",
  );
  if (was === is) return [];
  const change = is === "reject" ? olderErasRefused : olderErasServed;
  return [change(placeAt("protocol", "legacy"), {})];
}

function compareEnvironment(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [former, present] = [mappingOf(before, "env"), mappingOf(after, "env")];
  return Object.keys(present).flatMap((name) => {
    const place = placeAt("env", name);
    const isNew = isNeeded(present, name) && !isNeeded(former, name);
    return [
      ...(isNew ? [environmentVariableNewlyRequired(place, { name })] : []),
      ...whyNarrower(mappingOf(former, name), mappingOf(present, name)).map((reason) =>
        environmentVariableNarrowed(place, { name, reason }),
      ),
    ];
  });
}

/** Says why a variable takes fewer values than before; empty if it does not. */
function whyNarrower(before: JsonObject, after: JsonObject): string[] {
  if (Object.keys(before).length === 0) return [];
  const [was, is] = [before, after].map((variable) => textOf(variable, "type") ?? "string");
  // The type `string` takes every value, and is no narrowing.
  if (was !== is && is !== "string") return [`its type was ${was}, is ${is}`];
  const [former, present] = [ownValue(before, "enum"), ownValue(after, "enum")];
  if (!Array.isArray(present)) return [];
  if (!Array.isArray(former)) return [`only ${jsonList(present)}`];
  const refused = former.filter((value) => !present.includes(value));
  return refused.length === 0 ? [] : [`no longer ${jsonList(refused)}`];
}

function isNeeded(environment: JsonObject, name: string): boolean {
  const variable = ownValue(environment, name);
  return (
    isJsonObject(variable) && variable["required"] === true && variable["default"] === undefined
  );
}

/**
 * Reports that there are breaking changes and the version was not raised as semantic versioning asks.
 *
 * @param changes all other changes between the two manifests
 */
export function compareVersions(
  before: JsonObject,
  after: JsonObject,
  changes: readonly SemanticChange[],
): SemanticChange[] {
  if (!changes.some(({ severity }) => severity === "breaking")) return [];
  const [was, is] = [textOf(before, "version"), textOf(after, "version")];
  const place = placeAt("version");
  if (is === "package.json") return [breakingNeedsMajorVersion(place, {})];
  const [former, present] = [parsedVersion(was), parsedVersion(is)];
  if (was === undefined || is === undefined || !former || !present) return [];
  const needed = former.major > 0 ? `${former.major + 1}.0.0` : `0.${former.minor + 1}.0`;
  const isRaised =
    former.isPreview ||
    present.major > former.major ||
    (former.major === 0 && present.major === 0 && present.minor > former.minor);
  return isRaised ? [] : [breakingWithoutMajorVersion(place, { before: was, after: is, needed })];
}

interface ParsedVersion {
  readonly major: number;
  readonly minor: number;
  /** True for a prerelease of a version that may have breaking changes: `2.0.0-beta.1`. */
  readonly isPreview: boolean;
}

function parsedVersion(version: string | undefined): ParsedVersion | undefined {
  const parsed = parse(version);
  if (parsed === null) return undefined;
  const { major, minor, patch, prerelease } = parsed;
  const mayBreak = patch === 0 && (major === 0 || minor === 0);
  return { major, minor, isPreview: prerelease.length > 0 && mayBreak };
}
