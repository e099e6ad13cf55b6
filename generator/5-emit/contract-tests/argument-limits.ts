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
  let elementsLeft = limitInTests(model, "elements");
  const isBeyond = (value: JsonValue, levelsLeft: number): boolean => {
    if (typeof value !== "object" || value === null) return false;
    for (const member of Array.isArray(value) ? value : Object.values(value)) {
      elementsLeft -= 1;
      if (levelsLeft === 0 || elementsLeft < 0 || isBeyond(member, levelsLeft - 1)) return true;
    }
    return false;
  };
  return isBeyond(values, limitInTests(model, "depth"));
}
