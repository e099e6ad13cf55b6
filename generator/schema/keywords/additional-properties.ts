import { isJsonObject, type JsonValue } from "../../model/json.js";
import { expressionOf } from "../expressions.js";
import { isJsonSchema } from "../json-schema.js";
import type { BreakingSite } from "../instances/breaking-site.js";
import { ODD_NAMES } from "../instances/odd-strings.js";
import { schemaEntries } from "../read-schema.js";
import { union } from "../types/type-algebra.js";
import { ANY, onlyProperties, type Type } from "../types/type-model.js";
import type { Typing } from "../types/typing.js";
import {
  BOTH_DIALECTS,
  type Breaking,
  type Checking,
  type KeywordDefinition,
} from "./definition.js";

/** Whether `properties` or `patternProperties` describe a property. */
export function isDescribed(
  name: string,
  properties: JsonValue | undefined,
  patterns: JsonValue | undefined,
): boolean {
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) return true;
  if (!isJsonObject(patterns)) return false;
  return Object.keys(patterns).some((pattern) => expressionOf(pattern).test(name));
}

/** Says that a property may not be there; it counts as evaluated all the same. */
export function refuseProperty(
  name: string,
  kind: "additional" | "unevaluated",
  checking: Checking,
): void {
  checking.evaluate([name]);
  checking.report(`must NOT have ${kind} properties`, {
    property: name,
    params: { [`${kind}Property`]: name },
  });
}

function withFurtherProperty({ value }: BreakingSite): JsonValue[] {
  if (!isJsonObject(value)) return [];
  const names = ODD_NAMES.filter((name) => !Object.hasOwn(value, name));
  return names.map((name) => ({ ...value, [name]: true }));
}

/** For keywords that say what other properties are. */
export const refusingProperties: Breaking = {
  isConstraint: (rule) => rule === false,
  candidates: withFurtherProperty,
};

/** What a keyword describes that says what other properties are. */
export const allUnlessRefused = (rule: JsonValue): "all" | [] => (rule === false ? [] : "all");

/** Others than those that `properties` lists: what matches a pattern, and what this keyword describes. */
function typeOfOthers(_rule: JsonValue, typing: Typing): Type {
  const rule = typing.beside("additionalProperties");
  if (!isJsonSchema(rule)) return ANY;
  const names = schemaEntries(typing.beside("properties")).map(([name]) => name);
  const patterned = schemaEntries(typing.beside("patternProperties")).map(([, schema]) => schema);
  const rest = union([rule, ...patterned].map((schema) => typing.typeOf(schema)));
  return onlyProperties(rest === ANY ? [] : names, rest);
}

export const additionalProperties: KeywordDefinition = {
  name: "additionalProperties",
  shape: "schema",
  dialects: BOTH_DIALECTS,
  subject: "object",
  mayLeaveFew: true,
  breaking: refusingProperties,
  describedNames: allUnlessRefused,
  type: typeOfOthers,
  check(value, rule, checking) {
    if (!isJsonObject(value) || !isJsonSchema(rule)) return;
    const properties = checking.beside("properties");
    const patterns = checking.beside("patternProperties");
    for (const name of Object.keys(value)) {
      if (isDescribed(name, properties, patterns)) continue;
      if (rule === false) refuseProperty(name, "additional", checking);
      else checking.applyWithin(name, rule);
    }
  },
};
