import type { JsonObject } from "../../model/json.js";
import { containedCounts } from "../keywords/index.js";
import { itemSchemasOf, prefixLength } from "../keywords/item-schemas.js";
import { greatestAt, smallestAt, type ValueRequest } from "./value-request.js";

/** Arrays without need for more have at most so many items at their upper bound. */
const LONG_ARRAY = 20;

/** How many items an array must have. */
export function minimumLength(schemas: readonly JsonObject[]): number {
  let least = greatestAt(schemas, "minItems", 0);
  for (const { count } of containedCounts(schemas)) least = Math.max(least, count);
  return least;
}

/** How many items an array is made with. */
export function arrayLength(schemas: readonly JsonObject[], request: ValueRequest): number {
  const least = minimumLength(schemas);
  const most = smallestAt(schemas, "maxItems", Infinity);
  if (request.bound === "low" && request.properties === "required") return least;
  const prefix = prefixLength(schemas);
  const usual = itemSchemasOf(schemas, prefix).includes(false) ? prefix : Math.max(prefix, 1);
  const wanted = request.bound === "high" && most <= LONG_ARRAY ? most : usual;
  return Math.max(least, Math.min(wanted, most));
}
