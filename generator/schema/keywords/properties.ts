import { isJsonObject } from "../../model/json.js";
import { expressionOf } from "../expressions.js";
import { schemaEntries } from "../read-schema.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

export const properties: KeywordDefinition = {
  name: "properties",
  shape: "schema map",
  dialects: BOTH_DIALECTS,
  subject: "object",
  check(value, rule, checking) {
    if (!isJsonObject(value)) return;
    for (const [name, schema] of schemaEntries(rule)) {
      if (Object.hasOwn(value, name)) checking.applyWithin(name, schema);
    }
  },
};

export const patternProperties: KeywordDefinition = {
  name: "patternProperties",
  shape: "schema map",
  dialects: BOTH_DIALECTS,
  subject: "object",
  check(value, rule, checking) {
    if (!isJsonObject(value)) return;
    for (const [pattern, schema] of schemaEntries(rule)) {
      for (const name of Object.keys(value)) {
        if (expressionOf(pattern).test(name)) checking.applyWithin(name, schema);
      }
    }
  },
};
