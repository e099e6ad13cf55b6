import { isDeepStrictEqual } from "node:util";
import type { SemanticChange } from "../model/plan.js";
import { placeBelow } from "../model/change-places.js";
import { defineRule, type ChangePlace, type RuleMaker } from "../model/semantic-rule.js";

/** What bodies of several kinds compare alike. */

export const callerNeeded = defineRule<{ name: string }>({
  id: "caller-needed",
  severity: "breaking",
  message: ({ name }) => `callers without ${name} are refused now`,
});

export const selectionChanged = defineRule<{ key: string }>({
  id: "selection-changed",
  severity: "info",
  message: ({ key }) => `${key} of the result has changed`,
});

/** Makes a comparison that reports each of some keys whose value changed. */
export function comparisonOfKeys(
  keys: readonly string[],
  changed: RuleMaker<{ key: string }>,
): (former: object, present: object, place: ChangePlace) => SemanticChange[] {
  return (former, present, place) =>
    changedKeys(keys, former, present).map((key) => changed(placeBelow(place, key), { key }));
}

/** Those of some keys whose values differ. */
export function changedKeys<Key extends string>(
  keys: readonly Key[],
  former: object,
  present: object,
): Key[] {
  const [was, is] = [former, present].map((body) => new Map(Object.entries(body)));
  return keys.filter((key) => !isDeepStrictEqual(was?.get(key), is?.get(key)));
}

/** Compares what makes the result of a tool from an answer. */
export const compareSelections = comparisonOfKeys(
  ["from", "fields", "select", "noContent", "headers"],
  selectionChanged,
);

/** What a body uses of its caller now and did not use before: callers without it are refused. */
export function neededOfCallers(
  was: readonly string[],
  is: readonly string[],
  place: ChangePlace,
): SemanticChange[] {
  return is.filter((name) => !was.includes(name)).map((name) => callerNeeded(place, { name }));
}
