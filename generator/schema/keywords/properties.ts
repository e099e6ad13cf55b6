import { finding, undecided, type Comparing, type KeywordCheck } from "../comparison/check.js";
import { Conjunction } from "../comparison/conjunction.js";
import { answerOf, type Finding } from "../comparison/finding.js";
import { additionalProperties, PropertyFacts } from "../comparison/property-facts.js";
import {
  keyword,
  schemaNamed,
  schemasByName,
  type ObjectNode,
  type SchemaNode,
} from "../comparison/schema-node.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import { isEmpty } from "../defaults/defaults.js";
import { expressionOf } from "../expressions.js";
import { isJsonSchema } from "../json-schema.js";
import { schemaEntries } from "../keyword-values.js";
import { amongObjects, ANY, type Type } from "../types/type-model.js";
import type { Typing } from "../types/typing.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";
import { withoutObjects } from "./object-exclusion.js";

const SHAPE_KEYWORDS = ["properties", "patternProperties", "additionalProperties"];

/** Compares `properties`, `patternProperties` and `additionalProperties` together, since they depend on each other. */
const compareProperties: KeywordCheck = (narrow, wide, comparing) => {
  if (!narrow.types.has("object")) return [];
  if (SHAPE_KEYWORDS.every((name) => keyword(wide, name) === undefined)) return [];
  const facts = new PropertyFacts(narrow, comparing.patterns);
  const names = new Set([...schemasByName(wide, "properties").keys(), ...facts.names]);
  return [
    ...[...names].flatMap((name) => checkNamed(name, facts, wide, comparing)),
    ...checkOthers(facts, wide, comparing),
  ];
};

/** Compares a property that one of the two schemas describes by name. */
function checkNamed(
  name: string,
  facts: PropertyFacts,
  wide: ObjectNode,
  comparing: Comparing,
): Finding[] {
  const { narrow } = facts;
  const narrowSchemas = facts.schemasOf(name);
  const path = pathTo(narrow, name);
  const propertyValue = new Conjunction(narrowSchemas, { ...narrow.placeOf(), path });
  if (propertyValue.isNever) return [];
  const namedSchema = schemaNamed(wide, "properties", name);
  const patternSchemas = matchingPatterns(name, wide, comparing);
  if (patternSchemas === undefined) return [undecided(narrow, wide, "patternProperties")];
  const wideSchemas = namedSchema === undefined ? patternSchemas : [namedSchema, ...patternSchemas];
  if (wideSchemas.length > 0) {
    const findings = wideSchemas.flatMap((schema) =>
      comparing.compareInside(propertyValue, schema),
    );
    if (narrowSchemas.length > 0 || namedSchema === undefined) return findings;
    const answer = answerOf(findings);
    const excess = { kind: "described property", property: name } as const;
    return [finding(answer, excess, narrow, wide, ["properties", name])];
  }
  const additional = additionalProperties(wide);
  if (additional === undefined) return [];
  if (additional.schema !== false) return comparing.compareInside(propertyValue, additional);
  const excess = { kind: "refused property", property: name } as const;
  return [finding("incompatible", excess, narrow, wide, ["properties", name])];
}

function pathTo(narrow: Conjunction, property: string): (string | number)[] {
  return [...narrow.placeOf("properties").path, "properties", property];
}

/** The schemas of the patterns that match a name; undefined if a pattern could not be tried. */
function matchingPatterns(
  name: string,
  wide: ObjectNode,
  { patterns }: Comparing,
): SchemaNode[] | undefined {
  const matching: SchemaNode[] = [];
  for (const [pattern, schema] of schemasByName(wide, "patternProperties")) {
    const matches = patterns.matches(pattern, name);
    if (matches === undefined) return undefined;
    if (matches) matching.push(schema);
  }
  return matching;
}

/** Compares the properties that neither schema describes by name. */
function checkOthers(facts: PropertyFacts, wide: ObjectNode, comparing: Comparing): Finding[] {
  const { narrow } = facts;
  const byPattern = schemasByName(wide, "patternProperties");
  const findings = [...byPattern].flatMap(([pattern, schema]) =>
    facts
      .othersMatching(pattern)
      .flatMap((others) => comparing.compareInside(others, schema))
      .filter(({ answer }) => answer !== "compatible"),
  );
  const additional = additionalProperties(wide);
  if (additional !== undefined && additional.schema !== true) {
    const refused = facts
      .othersBut([...byPattern.keys()])
      .flatMap((others) => comparing.compareInside(others, additional));
    if (answerOf(refused) !== "compatible") {
      const isCertain = byPattern.size === 0 && narrow.isExactFor("object");
      const answer = isCertain ? answerOf(refused) : "unknown";
      const excess = { kind: "other properties", isAll: additional.schema === false } as const;
      findings.push(finding(answer, excess, narrow, wide, ["additionalProperties"]));
    }
  }
  return findings;
}

function typeOfProperties(rule: JsonValue, typing: Typing): Type {
  const properties = schemaEntries(rule).map(
    ([name, schema]) => [name, { type: typing.typeOf(schema), required: false, schema }] as const,
  );
  return amongObjects({ properties: new Map(properties), rest: ANY, refinements: [] });
}

const namesOf = (rule: JsonValue): string[] => schemaEntries(rule).map(([name]) => name);

export const properties: KeywordDefinition = {
  name: "properties",
  compare: compareProperties,
  mayLeaveFew: true,
  type: typeOfProperties,
  exclude: withoutObjects,
  describedNames: namesOf,
  defaults(rule, collecting) {
    const properties = schemaEntries(rule)
      .map(([key, schema]) => [key, collecting.collect(schema)] as const)
      .filter(([, defaults]) => !isEmpty(defaults));
    return properties.length > 0 ? { properties: Object.fromEntries(properties) } : {};
  },
  // `toolProperties` of Azure Functions is a list, whose items have the names (Azure/azure-functions-nodejs-library#377).
  adviceFor: (rule) =>
    Array.isArray(rule)
      ? "write each property as a key, and its schema under it: city: {type: string}"
      : undefined,
  shape: "schema map",
  dialects: BOTH_DIALECTS,
  subject: "object",
  check(value, rule, checking) {
    if (!isJsonObject(value) || !isJsonObject(rule)) return;
    for (const name of Object.keys(rule)) {
      const schema = rule[name];
      if (Object.hasOwn(value, name) && isJsonSchema(schema)) checking.applyWithin(name, schema);
    }
  },
};

export const patternProperties: KeywordDefinition = {
  name: "patternProperties",
  typedWith: "additionalProperties",
  describedNames: (rule) => (namesOf(rule).length > 0 ? "all" : []),
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
