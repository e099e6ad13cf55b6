import { isJsonObject } from "../../model/json.js";
import { MAXIMUM_ITEMS } from "../instances/sizes.js";
import { ANY, NEVER, onlyProperties } from "../types/type-model.js";
import type { KeywordDefinition } from "./definition.js";
import { countLimit, countWords, type Unit } from "./count-limit.js";

const NOUN = { one: "property", many: "properties" };

const PROPERTIES: Unit = {
  subject: "object",
  ...NOUN,
  countOf: (value) => (isJsonObject(value) ? Object.keys(value).length : undefined),
  leastOf: ({ required }) => required.size,
  words: countWords("minProperties", "maxProperties", NOUN, { one: "member", many: "members" }),
  most: MAXIMUM_ITEMS,
};

export const maxProperties: KeywordDefinition = {
  ...countLimit("maxProperties", "most", "minProperties", PROPERTIES),
  type: (rule) => (rule === 0 ? onlyProperties([], NEVER) : ANY),
};
/** Together with other keywords, it may imply that a certain property is present. */
export const minProperties: KeywordDefinition = {
  ...countLimit("minProperties", "least", "maxProperties", PROPERTIES),
  hidesFactsOf: ["object"],
};
