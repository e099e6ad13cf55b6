import { countLimit, type Unit } from "./count-limit.js";

const ITEMS: Unit = {
  subject: "array",
  one: "item",
  many: "items",
  countOf: (value) => (Array.isArray(value) ? value.length : undefined),
};

export const maxItems = countLimit("maxItems", "most", ITEMS);
export const minItems = countLimit("minItems", "least", ITEMS);
