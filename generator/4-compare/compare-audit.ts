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
import { missingPlace, placeAt } from "../model/change-places.js";

const PLACE = placeAt("audit");

/** The values of `audit.arguments`, from the least that is written down to the most. */
const LEVELS = ["none", "names", "values"];
const LEVEL_WORDS = ["no arguments", "names of arguments", "values of arguments"];

/** The changes of the audit trail: how much of a call is written down, and how reliably. */
export function compareAudit(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [had, has] = [before, after].map((manifest) => Object.hasOwn(manifest, "audit"));
  if (!had && !has) return [];
  if (!has) return [auditEnded(missingPlace("audit"), {})];
  if (!had) return [auditGrew(PLACE, { subject: "each call is" })];
  const [was, is] = [mappingOf(before, "audit"), mappingOf(after, "audit")];
  return [...compareLevels(was, is), ...compareDurability(was, is)];
}

function compareLevels(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was = 0, is = 0] = [before, after].map((audit) =>
    LEVELS.indexOf(textOf(audit, "arguments") ?? "none"),
  );
  if (is > was) return [auditGrew(PLACE, { subject: `${LEVEL_WORDS[is]} are` })];
  if (is === was) return [];
  return [auditShrank(PLACE, { message: `${LEVEL_WORDS[was]} are not written down any more` })];
}

function compareDurability(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [before, after].map((audit) => ownValue(audit, "durable") === true);
  if (!was || is) return [];
  const message = "answers do not wait any more until they are written down";
  return [auditShrank(PLACE, { message })];
}

/** The change of `telemetry`: whether requests are spans. */
export function compareTelemetry(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [was, is] = [before, after].map((manifest) => ownValue(manifest, "telemetry") === true);
  if (was === is) return [];
  const isPresent = Object.hasOwn(after, "telemetry");
  const place = isPresent ? placeAt("telemetry") : missingPlace("telemetry");
  return [(is ? tracesStarted : tracesEnded)(place, {})];
}
