import { isJsonObject } from "../../model/json.js";
import { MAXIMUM_ITEMS } from "../instances/sizes.js";
import { countLimit, type Unit } from "./count-limit.js";

const PROPERTIES: Unit = {
  subject: "object",
  one: "property",
  many: "properties",
  countOf: (value) => (isJsonObject(value) ? Object.keys(value).length : undefined),
  most: MAXIMUM_ITEMS,
};

export const maxProperties = countLimit("maxProperties", "most", "minProperties", PROPERTIES);
export const minProperties = countLimit("minProperties", "least", "maxProperties", PROPERTIES);
