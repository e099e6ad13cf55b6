import type { JsonObject } from "../model/json.js";
import { isJsonObject } from "../model/json.js";
import { ownValue } from "../model/json-schema.js";
import type { SemanticChange } from "../model/plan.js";
import {
  breakingNeedsMajorVersion,
  breakingWithoutMajorVersion,
  environmentVariableNewlyRequired,
  serverNameChanged,
} from "./catalogue/server.js";
import { instructionsChanged } from "./catalogue/texts.js";
import { compareServing } from "./compare-serving.js";
import { compareText, compareTexts } from "./compare-texts.js";
import { mappingOf, textOf } from "./manifest-items.js";
import type { ChangePlace } from "./rule.js";

const ROOT: ChangePlace = { at: [], name: [] };

/** The changes of the server itself: its names and texts, and what it needs to start. */
export function compareServer(before: JsonObject, after: JsonObject): SemanticChange[] {
  return [
    ...compareName(before, after),
    ...compareTexts(before, after, ROOT),
    ...compareText(before, after, "instructions", instructionsChanged, ROOT),
    ...compareEnvironment(before, after),
    ...compareServing(before, after),
  ];
}

function compareName(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [textOf(before, "name"), textOf(after, "name")];
  if (was === undefined || is === undefined || was === is) return [];
  return [serverNameChanged({ at: ["name"], name: ["name"] }, { before: was, after: is })];
}

function compareEnvironment(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [former, present] = [mappingOf(before, "env"), mappingOf(after, "env")];
  return Object.keys(present)
    .filter((name) => isNeeded(present, name) && !isNeeded(former, name))
    .map((name) => {
      const path = ["env", name];
      return environmentVariableNewlyRequired({ at: path, name: path }, { name });
    });
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
    present.major > former.major ||
    (former.major === 0 && present.major === 0 && present.minor > former.minor);
  return isRaised ? [] : [breakingWithoutMajorVersion(place, { before: was, after: is, needed })];
}

function partsOf(version: string | undefined): { major: number; minor: number } | undefined {
  const [, major, minor] = /^(\d+)\.(\d+)\./.exec(version ?? "") ?? [];
  return major === undefined ? undefined : { major: Number(major), minor: Number(minor) };
}
