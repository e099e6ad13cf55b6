import type { KeywordCheck } from "../comparison/check.js";
import { Conjunction } from "../comparison/conjunction.js";
import { asUndecided } from "../comparison/finding.js";
import { PropertyFacts } from "../comparison/property-facts.js";
import { schemaUnder } from "../comparison/schema-node.js";
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import type { BreakingSite, Candidate } from "../instances/breaking-site.js";
import { ODD_NAMES, oddStrings } from "../instances/odd-strings.js";
import { MAXIMUM_STRING } from "../instances/sizes.js";
import { isJsonSchema } from "../json-schema.js";
import { namesIn } from "../keyword-values.js";
import { ANY, NEVER, onlyProperties } from "../types/type-model.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

/** The schema under `propertyNames`, in a list; an empty list if there is none. */
export function nameSchemas(schema: JsonObject): JsonSchema[] {
  const rule = schema["propertyNames"];
  return isJsonSchema(rule) ? [rule] : [];
}

function* withOddProperty({ value }: BreakingSite): Generator<Candidate> {
  if (!isJsonObject(value)) return;
  const [first] = Object.keys(value);
  const names = [...ODD_NAMES, ...oddStrings(first ?? "name"), "x".repeat(MAXIMUM_STRING)];
  for (const name of names) {
    for (const member of ["text", 1, first === undefined ? null : (value[first] ?? null)]) {
      yield { ...value, [name]: member };
    }
  }
}

const compareNames: KeywordCheck = (narrow, wide, comparing) => {
  const schema = schemaUnder(wide, "propertyNames");
  if (schema === undefined || !narrow.types.has("object")) return [];
  const nameNodes = narrow.nodes.flatMap((node) => schemaUnder(node, "propertyNames") ?? []);
  const facts = new PropertyFacts(narrow, comparing.patterns);
  const place = narrow.placeOf("propertyNames");
  const text: JsonValue = facts.isClosed ? { enum: [...facts.names] } : { type: "string" };
  const names = new Conjunction([...nameNodes, { ...place, schema: text }], place);
  return asUndecided(comparing.compareInside(names, schema), "propertyNames");
};

/** The names that a schema for names allows; undefined if it does not list them. */
function listedNames(rule: JsonValue): readonly string[] | undefined {
  if (!isJsonObject(rule)) return undefined;
  const { enum: listed = rule["const"] === undefined ? undefined : [rule["const"]] } = rule;
  return Array.isArray(listed) ? namesIn(listed) : undefined;
}

export const propertyNames: KeywordDefinition = {
  name: "propertyNames",
  shape: "schema",
  dialects: BOTH_DIALECTS,
  subject: "object",
  isTentative: true,
  compare: compareNames,
  type(rule) {
    const names = rule === false ? [] : listedNames(rule);
    return names === undefined ? ANY : onlyProperties(names, NEVER);
  },
  hidesFactsOf: ["object"],
  mayContradict: true,
  join: (one, other) => ({ allOf: [one, other] }),
  breaking: { candidates: withOddProperty },
  check(value, rule, checking) {
    if (!isJsonObject(value) || !isJsonSchema(rule)) return;
    for (const name of Object.keys(value)) {
      const { fits, findings } = checking.attempt(rule, name);
      if (fits) continue;
      const params = { propertyName: name };
      checking.report("property name must be valid", { property: name, params, tried: [findings] });
    }
  },
};
