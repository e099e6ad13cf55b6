import type { JsonValue } from "../../model/json.js";
import type { ServerModel } from "../../model/server-model.js";
import { limitInTests } from "./limits.js";

/**
 * True if arguments exceed the limits of the server. The runtime has this rule too; it is written here a
 * second time, so that each checks the other.
 */
export function isBeyondLimits(
  values: JsonValue,
  model: Pick<ServerModel, "limits" | "env">,
): boolean {
  const [depth, elements] = [limitInTests(model, "depth"), limitInTests(model, "elements")];
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
