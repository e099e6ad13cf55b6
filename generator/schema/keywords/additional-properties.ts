import { isJsonObject, type JsonValue } from "../../model/json.js";
import { expressionOf } from "../expressions.js";
import { isJsonSchema } from "../json-schema.js";
import type { BreakingSite } from "../instances/breaking-site.js";
import { ODD_NAMES } from "../instances/odd-strings.js";
import { schemaEntries } from "../keyword-values.js";
import { union } from "../types/type-algebra.js";
import { ANY, onlyProperties, type Type } from "../types/type-model.js";
import type { Typing } from "../types/typing.js";
import {
  BOTH_DIALECTS,
  type Breaking,
  type Checking,
  type KeywordDefinition,
} from "./definition.js";

/**
 * True if `properties` or `patternProperties` describe a property.
 *
 * @param patterns the value of `patternProperties`, whose keys are valid regular expressions
 */
export function isDescribed(
  name: string,
  properties: JsonValue | undefined,
  patterns: JsonValue | undefined,
): boolean {
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) return true;
  if (!isJsonObject(patterns)) return false;
  return Object.keys(patterns).some((pattern) => expressionOf(pattern).test(name));
}

/** Reports a property that is not allowed, and counts it as evaluated. */
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

/** How `additionalProperties` and `unevaluatedProperties` are broken. */
export const refusingProperties: Breaking = {
  isConstraint: (rule) => rule === false,
  candidates: withFurtherProperty,
};

/** The names that `additionalProperties` and `unevaluatedProperties` describe: all, unless the keyword is `false`. */
export const allUnlessRefused = (rule: JsonValue): "all" | [] => (rule === false ? [] : "all");

/** The type of the properties that `properties` does not list, from `patternProperties` and `additionalProperties`. */
function typeOfOthers(_rule: JsonValue, typing: Typing): Type {
  const rule = typing.beside("additionalProperties");
  if (!isJsonSchema(rule)) return ANY;
  const names = schemaEntries(typing.beside("properties")).map(([name]) => name);
  const patternSchemas = schemaEntries(typing.beside("patternProperties")).map(
    ([, schema]) => schema,
  );
  const others = union([rule, ...patternSchemas].map((schema) => typing.typeOf(schema)));
  return onlyProperties(others === ANY ? [] : names, others);
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
