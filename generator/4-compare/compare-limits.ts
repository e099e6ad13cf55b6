import { ownValue } from "../schema/json-schema.js";
import type { JsonObject } from "../model/json.js";
import { limitNames } from "../../templates/runtime/engine/limits.js";
import { usualLimit, variableOfLimit } from "../model/limits.js";
import type { SemanticChange } from "../model/plan.js";
import { limitLowered, limitVariableRemoved } from "./catalogue/abilities.js";
import { mappingOf } from "./manifest-items.js";
import { placeAt } from "../model/change-places.js";

/** The limits of the server that are lower than before, and those that a variable does not set any more. */
export function compareLimits(before: JsonObject, after: JsonObject): SemanticChange[] {
  return limitNames.flatMap((name) => {
    const [former, present] = [before, after].map((manifest) => {
      const set = ownValue(mappingOf(manifest, "limits"), name);
      return {
        variable: variableOfLimit(set),
        value: usualLimit(name, set, (variable) =>
          ownValue(mappingOf(mappingOf(manifest, "env"), variable), "default"),
        ),
      };
    }) as [Setting, Setting];
    return [...loweredLimit(name, former, present), ...lostVariable(name, former, present)];
  });
}

/** What sets a limit, and its value where nobody sets the variable. */
interface Setting {
  readonly variable: string | undefined;
  readonly value: number;
}

function loweredLimit(name: string, former: Setting, { value, variable }: Setting) {
  if (value >= former.value) return [];
  const parameters = { name, before: former.value, after: value };
  return [limitLowered(placeAt("limits", name), { ...parameters, ...(variable && { variable }) })];
}

function lostVariable(name: string, { variable }: Setting, present: Setting) {
  if (variable === undefined || variable === present.variable) return [];
  return [limitVariableRemoved(placeAt("limits", name), { name, variable })];
}
