import type { JsonObject, JsonSchema } from "../../model/json.js";
import { isJsonSchema } from "../../schema/json-schema.js";
import { itemSchemas, prefixLength } from "./places.js";
import { greatestAt, smallestAt, type Wish } from "./wish.js";

/** Arrays without need for more have at most so many items at their upper bound. */
const LONG_ARRAY = 20;

/** How many items an array must have. */
export function minimumLength(schemas: readonly JsonObject[]): number {
  let least = greatestAt(schemas, "minItems", 0);
  for (const { count } of containedCounts(schemas)) least = Math.max(least, count);
  return least;
}

/** How many items an array is made with. */
export function arrayLength(schemas: readonly JsonObject[], wish: Wish): number {
  const least = minimumLength(schemas);
  const most = smallestAt(schemas, "maxItems", Infinity);
  if (wish.bound === "low" && wish.properties === "required") return least;
  const prefix = prefixLength(schemas);
  const usual = itemSchemas(schemas, prefix).includes(false) ? prefix : Math.max(prefix, 1);
  const wanted = wish.bound === "high" && most <= LONG_ARRAY ? most : usual;
  return Math.max(least, Math.min(wanted, most));
}

/** What `contains` asks for: so many of the first items are to be of that schema. */
export function containedCounts(
  schemas: readonly JsonObject[],
): { schema: JsonSchema; count: number }[] {
  if (!schemas.some(({ contains }) => contains !== undefined)) return [];
  const counts: { schema: JsonSchema; count: number }[] = [];
  for (const { contains, minContains } of schemas) {
    if (!isJsonSchema(contains)) continue;
    counts.push({ schema: contains, count: typeof minContains === "number" ? minContains : 1 });
  }
  return counts;
}
