import { isJsonObject } from "../../model/json.js";
import { MAXIMUM_ITEMS } from "../instances/sizes.js";
import type { KeywordDefinition } from "./definition.js";
import { countLimit, type Unit } from "./count-limit.js";

const PROPERTIES: Unit = {
  subject: "object",
  one: "property",
  many: "properties",
  countOf: (value) => (isJsonObject(value) ? Object.keys(value).length : undefined),
  leastOf: ({ required }) => required.size,
  isUntyped: true,
  most: MAXIMUM_ITEMS,
};

export const maxProperties = countLimit("maxProperties", "most", "minProperties", PROPERTIES);
/** That there must be some says of other properties that they may be asked for. */
export const minProperties: KeywordDefinition = {
  ...countLimit("minProperties", "least", "maxProperties", PROPERTIES),
  hidesFactsOf: ["object"],
};
