import { MAXIMUM_ITEMS } from "../instances/sizes.js";
import { countLimit, type Unit } from "./count-limit.js";

const ITEMS: Unit = {
  subject: "array",
  one: "item",
  many: "items",
  countOf: (value) => (Array.isArray(value) ? value.length : undefined),
  isUntyped: false,
  most: MAXIMUM_ITEMS,
};

export const maxItems = countLimit("maxItems", "most", "minItems", ITEMS);
export const minItems = countLimit("minItems", "least", "maxItems", ITEMS);
