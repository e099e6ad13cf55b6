import { isJsonObject } from "../../model/json.js";
import { isJsonSchema } from "../json-schema.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

export const propertyNames: KeywordDefinition = {
  name: "propertyNames",
  shape: "schema",
  dialects: BOTH_DIALECTS,
  subject: "object",
  check(value, rule, checking) {
    if (!isJsonObject(value) || !isJsonSchema(rule)) return;
    for (const name of Object.keys(value)) {
      const { fits, found } = checking.attempt(rule, name);
      if (fits) continue;
      const params = { propertyName: name };
      checking.report("property name must be valid", { property: name, params, tried: [found] });
    }
  },
};
