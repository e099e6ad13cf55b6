import { isJsonObject } from "../../model/json.js";
import { countLimit, type Unit } from "./count-limit.js";

const PROPERTIES: Unit = {
  subject: "object",
  one: "property",
  many: "properties",
  countOf: (value) => (isJsonObject(value) ? Object.keys(value).length : undefined),
};

export const maxProperties = countLimit("maxProperties", "most", PROPERTIES);
export const minProperties = countLimit("minProperties", "least", PROPERTIES);
