import type { JsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { SemanticChange } from "../model/plan.js";
import { limitLowered } from "./catalogue/abilities.js";
import { mappingOf } from "./manifest-items.js";
import { placeAt } from "./places.js";

/** The limits that hold where a manifest sets none; a test compares them with the manifest's schema. */
export const DEFAULT_LIMITS: Readonly<Record<string, number>> = {
  bodyBytes: 4_194_304,
  depth: 64,
  elements: 50_000,
  uriLength: 2_048,
  timeoutMs: 30_000,
  concurrency: 1_000,
  ratePerSecond: 1_000,
  subscriptions: 1_024,
  sessions: 1_000,
  sessionIdleMs: 1_800_000,
  connections: 1_024,
  headersTimeoutMs: 8_000,
  bodyTimeoutMs: 17_000,
};

/** The limits of the server that are lower than before. */
export function compareLimits(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [former, present] = [mappingOf(before, "limits"), mappingOf(after, "limits")];
  return Object.entries(DEFAULT_LIMITS).flatMap(([name, defaultLimit]) => {
    const [was, is] = [former, present].map((limits) => ownValue(limits, name) ?? defaultLimit);
    if (typeof was !== "number" || typeof is !== "number" || is >= was) return [];
    return [limitLowered(placeAt("limits", name), { name, before: was, after: is })];
  });
}
