import type { JsonObject } from "../../model/json.js";
import { containedCounts } from "../keywords/index.js";
import { itemSchemasOf, prefixLength } from "../keywords/item-schemas.js";
import { greatestAt, smallestAt, type ValueRequest } from "./value-request.js";

/** Arrays are made with `maxItems` items only up to this limit. */
const LONG_ARRAY = 20;

/** The least number of items that `minItems` and `contains` require. */
export function minimumLength(schemas: readonly JsonObject[]): number {
  let least = greatestAt(schemas, "minItems", 0);
  for (const { count } of containedCounts(schemas)) least = Math.max(least, count);
  return least;
}

/** The number of items to make for a request. */
export function arrayLength(schemas: readonly JsonObject[], request: ValueRequest): number {
  const least = minimumLength(schemas);
  const most = smallestAt(schemas, "maxItems", Infinity);
  if (request.bound === "low" && request.properties === "required") return least;
  const prefix = prefixLength(schemas);
  const typicalLength = itemSchemasOf(schemas, prefix).includes(false)
    ? prefix
    : Math.max(prefix, 1);
  const requestedLength = request.bound === "high" && most <= LONG_ARRAY ? most : typicalLength;
  return Math.max(least, Math.min(requestedLength, most));
}
