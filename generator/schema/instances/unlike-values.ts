import type { JsonValue } from "../../model/json.js";
import type { BreakingSite, Candidate } from "./breaking-site.js";
import { oddStrings } from "./odd-strings.js";

/** One value of each type, and a few more. */
export const VALUES_OF_ALL_TYPES: readonly JsonValue[] = [
  ...["text", 1.5, 0, true, null, {}, [], 1e6, "", -1],
];

/** Values that differ from the valid one: of the same type first, then values for all other constraints. */
export function* unlikeValues(site: BreakingSite): Generator<Candidate> {
  const { value } = site;
  if (typeof value === "string") yield* [`not ${value}`, ...oddStrings(value)];
  if (typeof value === "number") yield* [value + 1, value - 1, value + 0.5, value + 1000];
  if (typeof value === "boolean") yield !value;
  const others = site.without();
  for (let seed = 0; seed < 4; seed += 1) yield site.build(others, [], { seed });
  yield* VALUES_OF_ALL_TYPES;
}

/** Strings that differ from the valid one and from usual text. */
export function* oddTexts(site: BreakingSite): Generator<Candidate> {
  const { value } = site;
  if (typeof value === "string") yield* oddStrings(value);
  const others = site.without();
  for (const bound of ["low", "high", "typical"] as const) {
    yield site.build(others, [{ type: "string" }], { bound, name: "not this" });
  }
}

/** Values for `opposite`, a schema of the values beyond a bound; the nearest first, since an off-by-one check accepts it. */
export function* beyondBound(
  site: BreakingSite,
  end: "least" | "most",
  opposite: JsonValue,
): Generator<Candidate> {
  const schemas = site.without();
  if (typeof opposite !== "object" || opposite === null || Array.isArray(opposite)) return;
  const mayHaveProperties = typeof site.value === "object";
  for (const bound of end === "most" ? (["low", "high"] as const) : (["high", "low"] as const)) {
    for (const properties of mayHaveProperties
      ? (["required", "all"] as const)
      : (["all"] as const)) {
      yield site.build(schemas, [opposite], { bound, properties });
    }
  }
}
