import { MAXIMUM_ITEMS } from "../instances/sizes.js";
import { countLimit, countWords, type Unit } from "./count-limit.js";

const NOUN = { one: "item", many: "items" };

const ITEMS: Unit = {
  subject: "array",
  ...NOUN,
  countOf: (value) => (Array.isArray(value) ? value.length : undefined),
  words: countWords("minItems", "maxItems", NOUN),
  isUntyped: false,
  most: MAXIMUM_ITEMS,
};

export const maxItems = countLimit("maxItems", "most", "minItems", ITEMS);
export const minItems = countLimit("minItems", "least", "maxItems", ITEMS);
