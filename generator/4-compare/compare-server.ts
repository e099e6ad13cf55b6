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
import { comparePackage } from "./compare-package.js";
import { compareServing } from "./compare-serving.js";
import { compareText, compareTexts } from "./compare-texts.js";
import { mappingOf, textOf } from "./manifest-items.js";
import type { ChangePlace } from "./rule.js";
import { listed } from "./wording.js";

const ROOT: ChangePlace = { at: [], name: [] };

/** The changes of the server itself: its names and texts, and what it needs to start. */
export function compareServer(before: JsonObject, after: JsonObject): SemanticChange[] {
  return [
    ...compareName(before, after),
    ...compareTexts(before, after, ROOT),
    ...compareText(before, after, "instructions", instructionsChanged, ROOT),
    ...compareEras(before, after),
    ...compareEnvironment(before, after),
    ...compareAuthentication(before, after),
    ...compareAudit(before, after),
    ...compareTelemetry(before, after),
    ...compareServing(before, after),
    ...comparePackage(before, after),
    ...compareDeployment(before, after),
  ];
}

function compareName(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [textOf(before, "name"), textOf(after, "name")];
  if (was === undefined || is === undefined || was === is) return [];
  return [serverNameChanged({ at: ["name"], name: ["name"] }, { before: was, after: is })];
}

function compareEras(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [before, after].map(
    (manifest) => textOf(mappingOf(manifest, "protocol"), "legacy") ?? "serve",
  );
  if (was === is) return [];
  const path = ["protocol", "legacy"];
  return [(is === "reject" ? olderErasRefused : olderErasServed)({ at: path, name: path }, {})];
}

function compareEnvironment(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [former, present] = [mappingOf(before, "env"), mappingOf(after, "env")];
  return Object.keys(present).flatMap((name) => {
    const path = ["env", name];
    const place = { at: path, name: path };
    const isNew = isNeeded(present, name) && !isNeeded(former, name);
    return [
      ...(isNew ? [environmentVariableNewlyRequired(place, { name })] : []),
      ...narrowing(mappingOf(former, name), mappingOf(present, name)).map((what) =>
        environmentVariableNarrowed(place, { name, what }),
      ),
    ];
  });
}

/** In which words a variable takes fewer values than before, if it does. A text may be anything. */
function narrowing(before: JsonObject, after: JsonObject): string[] {
  if (Object.keys(before).length === 0) return [];
  const [was, is] = [before, after].map((variable) => textOf(variable, "type") ?? "string");
  if (was !== is && is !== "string") return [`its type was ${was}, is ${is}`];
  const [former, present] = [ownValue(before, "enum"), ownValue(after, "enum")];
  if (!Array.isArray(present)) return [];
  if (!Array.isArray(former)) return [`only ${listed(present)}`];
  const gone = former.filter((value) => !present.includes(value));
  return gone.length === 0 ? [] : [`no longer ${listed(gone)}`];
}

function isNeeded(environment: JsonObject, name: string): boolean {
  const variable = ownValue(environment, name);
  return (
    isJsonObject(variable) && variable["required"] === true && variable["default"] === undefined
  );
}

/** A word where breaking changes come without the version that semantic versioning asks for. */
export function compareVersions(
  before: JsonObject,
  after: JsonObject,
  changes: readonly SemanticChange[],
): SemanticChange[] {
  if (!changes.some(({ severity }) => severity === "breaking")) return [];
  const [was, is] = [textOf(before, "version"), textOf(after, "version")];
  const place = { at: ["version"], name: ["version"] };
  if (is === "package.json") return [breakingNeedsMajorVersion(place, {})];
  const [former, present] = [partsOf(was), partsOf(is)];
  if (was === undefined || is === undefined || !former || !present) return [];
  const needed = former.major > 0 ? `${former.major + 1}.0.0` : `0.${former.minor + 1}.0`;
  const isRaised =
    former.isPreview ||
    present.major > former.major ||
    (former.major === 0 && present.major === 0 && present.minor > former.minor);
  return isRaised ? [] : [breakingWithoutMajorVersion(place, { before: was, after: is, needed })];
}

interface VersionParts {
  readonly major: number;
  readonly minor: number;
  /** `2.0.0-beta.1`: on the way to a version that may break what it likes. */
  readonly isPreview: boolean;
}

function partsOf(version: string | undefined): VersionParts | undefined {
  const parsed = parse(version);
  if (parsed === null) return undefined;
  const { major, minor, patch, prerelease } = parsed;
  const mayBreak = patch === 0 && (major === 0 || minor === 0);
  return { major, minor, isPreview: prerelease.length > 0 && mayBreak };
}
