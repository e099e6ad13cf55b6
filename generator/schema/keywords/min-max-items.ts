import { MAXIMUM_ITEMS } from "../instances/sizes.js";
import type { KeywordDefinition } from "./definition.js";
import { countLimit, countWords, type Unit } from "./count-limit.js";

const NOUN = { one: "item", many: "items" };

const ITEMS: Unit = {
  subject: "array",
  ...NOUN,
  countOf: (value) => (Array.isArray(value) ? value.length : undefined),
  words: countWords("minItems", "maxItems", NOUN),
  most: MAXIMUM_ITEMS,
};

export const maxItems: KeywordDefinition = {
  ...countLimit("maxItems", "most", "minItems", ITEMS),
  typedWith: "items",
};
export const minItems: KeywordDefinition = {
  ...countLimit("minItems", "least", "maxItems", ITEMS),
  typedWith: "items",
};
