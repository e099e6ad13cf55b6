import type { JsonValue } from "../../model/json.js";
import type { BreakingSite, Candidate } from "./breaking-site.js";
import { oddStrings } from "./odd-strings.js";

/** One value of each type, and a few more. */
export const VALUES_OF_ALL_TYPES: readonly JsonValue[] = [
  ...["text", 1.5, 0, true, null, {}, [], 1e6, "", -1],
];

/** Values for the other constraints of the place, of the same type first. */
export function* unlikeValues(site: BreakingSite): Generator<Candidate> {
  const { value } = site;
  if (typeof value === "string") yield* [`not ${value}`, ...oddStrings(value)];
  if (typeof value === "number") yield* [value + 1, value - 1, value + 0.5, value + 1000];
  if (typeof value === "boolean") yield !value;
  for (let seed = 0; seed < 4; seed += 1) yield site.build(site.without(), [], { seed });
  yield* VALUES_OF_ALL_TYPES;
}

/** Texts unlike those that are there and those that people write. */
export function* oddTexts(site: BreakingSite): Generator<Candidate> {
  const { value } = site;
  if (typeof value === "string") yield* oddStrings(value);
  for (const bound of ["low", "high", "typical"] as const) {
    yield site.build(site.without(), [{ type: "string" }], { bound, name: "not this" });
  }
}

/** Values that fulfil the opposite of a bound; the nearest one beyond it comes first, since a wrong comparison lets it pass. */
export function* beyondBound(
  site: BreakingSite,
  end: "least" | "most",
  opposite: JsonValue,
): Generator<Candidate> {
  const schemas = site.without();
  if (typeof opposite !== "object" || opposite === null || Array.isArray(opposite)) return;
  for (const bound of end === "most" ? (["low", "high"] as const) : (["high", "low"] as const)) {
    for (const properties of ["required", "all"] as const) {
      yield site.build(schemas, [opposite], { bound, properties });
    }
  }
}
