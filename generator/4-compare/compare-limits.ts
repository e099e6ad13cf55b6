import type { JsonObject } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import type { SemanticChange } from "../model/plan.js";
import { limitLowered } from "./catalogue/abilities.js";
import { mappingOf } from "./manifest-items.js";

/** The limits where a manifest sets none, as its schema has them. */
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

/** The changes of how much the server takes. */
export function compareLimits(before: JsonObject, after: JsonObject): SemanticChange[] {
  const [former, present] = [mappingOf(before, "limits"), mappingOf(after, "limits")];
  return Object.entries(DEFAULT_LIMITS).flatMap(([name, otherwise]) => {
    const [was, is] = [former, present].map((limits) => ownValue(limits, name) ?? otherwise);
    if (typeof was !== "number" || typeof is !== "number" || is >= was) return [];
    const path = ["limits", name];
    return [limitLowered({ at: path, name: path }, { name, before: was, after: is })];
  });
}
