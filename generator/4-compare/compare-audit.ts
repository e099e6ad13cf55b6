import type { JsonObject } from "../model/json.js";
import type { SemanticChange } from "../model/plan.js";
import { ownValue } from "../schema/json-schema.js";
import {
  auditEnded,
  auditGrew,
  auditShrank,
  tracesEnded,
  tracesStarted,
} from "./catalogue/audit.js";
import { mappingOf, textOf } from "./manifest-items.js";
import type { ChangePlace } from "./rule.js";

const PLACE: ChangePlace = { at: ["audit"], name: ["audit"] };

/** How much of the arguments a line may hold, from the least to the most. */
const SHOWN = ["none", "names", "values"];
const IN_WORDS = ["no arguments", "names of arguments", "values of arguments"];

/** What changes in what is written down of calls. */
export function compareAudit(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [had, has] = [before, after].map((manifest) => Object.hasOwn(manifest, "audit"));
  if (!had && !has) return [];
  if (!has) return [auditEnded({ at: [], name: ["audit"] }, {})];
  if (!had) return [auditGrew(PLACE, { what: "each call is" })];
  const [was, is] = [mappingOf(before, "audit"), mappingOf(after, "audit")];
  return [...compareShown(was, is), ...compareDurability(was, is)];
}

function compareShown(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was = 0, is = 0] = [before, after].map((audit) =>
    SHOWN.indexOf(textOf(audit, "arguments") ?? "none"),
  );
  if (is > was) return [auditGrew(PLACE, { what: `${IN_WORDS[is]} are` })];
  if (is === was) return [];
  return [auditShrank(PLACE, { what: `${IN_WORDS[was]} are not written down any more` })];
}

function compareDurability(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [before, after].map((audit) => ownValue(audit, "durable") === true);
  if (!was || is) return [];
  return [auditShrank(PLACE, { what: "answers do not wait any more until they are written down" })];
}

/** Whether requests begin or cease to be spans. */
export function compareTelemetry(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [before, after].map((manifest) => ownValue(manifest, "telemetry") === true);
  if (was === is) return [];
  if (is) return [tracesStarted({ at: ["telemetry"], name: ["telemetry"] }, {})];
  const at = Object.hasOwn(after, "telemetry") ? ["telemetry"] : [];
  return [tracesEnded({ at, name: ["telemetry"] }, {})];
}
