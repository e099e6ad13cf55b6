import type { JsonValue } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";

/** The runtime's limits if the manifest sets none. */
const DEFAULT_LIMITS = { depth: 64, elements: 50_000 };

/**
 * True if arguments exceed the limits of the server. The runtime has this rule too; it is written here a
 * second time, so that each checks the other.
 */
export function isBeyondLimits(
  values: JsonValue,
  { limits }: Pick<ServerModel, "limits">,
): boolean {
  const { depth = DEFAULT_LIMITS.depth, elements = DEFAULT_LIMITS.elements } = limits ?? {};
  let count = 0;
  let level = [values];
  for (let levels = 0; ; levels++) {
    level = level.flatMap((value) =>
      typeof value === "object" && value ? Object.values(value) : [],
    );
    if (level.length === 0) return false;
    count += level.length;
    if (levels === depth || count > elements) return true;
  }
}
