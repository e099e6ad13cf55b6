import {
  defaultLimits,
  limitRules,
  type LimitName,
  type LimitRule,
} from "../../templates/runtime/engine/limits.js";
import { isJsonObject, type JsonObject, type JsonValue } from "./json.js";

/** What a manifest sets a limit to: a number, or the variable that has it. */
export type SetLimit = number | { readonly env: string };

/** Whether a limit holds over the network only. */
export function isNetworkLimit(name: LimitName): boolean {
  const rule: LimitRule = limitRules[name];
  return rule.network === true;
}

/** The name of the variable that sets a limit; undefined if no variable does. */
export function variableOfLimit(set: JsonValue | SetLimit | undefined): string | undefined {
  const name = isJsonObject(set as JsonValue) ? (set as JsonObject)["env"] : undefined;
  return typeof name === "string" ? name : undefined;
}

/**
 * The value of a limit where nobody sets its variable: the number in the manifest, the default of the variable, or the
 * default of the limit.
 *
 * @param defaultOf the default of a variable
 */
export function usualLimit(
  name: LimitName,
  set: JsonValue | SetLimit | undefined,
  defaultOf: (variable: string) => unknown,
): number {
  if (typeof set === "number") return set;
  const variable = variableOfLimit(set);
  const usual = variable === undefined ? undefined : defaultOf(variable);
  return typeof usual === "number" ? usual : defaultLimits[name];
}
