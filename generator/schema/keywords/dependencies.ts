import { undecided, type KeywordCheck } from "../comparison/check.js";
import { asUndecided } from "../comparison/finding.js";
import { PropertyFacts } from "../comparison/property-facts.js";
import { keyword, schemasByName } from "../comparison/schema-node.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { BreakingSite, Candidate } from "../instances/breaking-site.js";
import { namesIn } from "../keyword-values.js";
import { isJsonSchema } from "../json-schema.js";
import { union } from "../types/type-algebra.js";
import {
  amongObjects,
  ANY,
  ANY_OBJECT,
  NEVER,
  objectType,
  type ObjectType,
  type Property,
  type Type,
} from "../types/type-model.js";
import type { Typing } from "../types/typing.js";
import { DRAFT_07_ONLY, MODERN_ONLY, type Checking, type KeywordDefinition } from "./definition.js";
import { missingProblem, withoutKey } from "./required.js";

/** Checks what an object with a certain property must have: other properties, or to fit a schema. */
function checkDependents(value: JsonValue, rule: JsonValue, checking: Checking): void {
  if (!isJsonObject(value) || !isJsonObject(rule)) return;
  for (const [property, dependents] of Object.entries(rule)) {
    if (!Object.hasOwn(value, property)) continue;
    if (Array.isArray(dependents)) reportMissing(property, dependents, value, checking);
    else if (isJsonSchema(dependents)) checking.apply(dependents);
  }
}

function reportMissing(
  property: string,
  dependents: readonly JsonValue[],
  value: Readonly<Record<string, JsonValue>>,
  checking: Checking,
): void {
  const noun = dependents.length === 1 ? "property" : "properties";
  const message = `must have ${noun} ${dependents.join(", ")} when property ${property} is present`;
  for (const name of dependents) {
    if (typeof name !== "string" || Object.hasOwn(value, name)) continue;
    checking.report(message, { property: name });
  }
}

/** Finds objects that the narrow schema accepts without what the wide one requires beside a property. */
const compareDependents =
  (name: string): KeywordCheck =>
  (narrow, wide, comparing) => {
    const value = keyword(wide, name);
    if (!isJsonObject(value) || !narrow.types.has("object")) return [];
    if (comparing.holdsSame(narrow, wide, [name])) return [];
    const facts = new PropertyFacts(narrow, comparing.patterns);
    const schemas = schemasByName(wide, name);
    return Object.entries(value).flatMap(([property, dependents]) => {
      if (facts.excludes(property)) return [];
      const schema = schemas.get(property);
      if (schema !== undefined) {
        const present = { ...wide, schema: { required: [property] } };
        return asUndecided(comparing.compareBeside(narrow.with(present), schema), name);
      }
      return facts.requires(property, dependents) ? [] : [undecided(narrow, wide, name)];
    });
  };

/** The most dependencies that a type expresses: each doubles the number of its alternatives. */
const MAX_TYPED = 6;

/** For each property, the type is a union of objects without it and objects with its dependents. */
function typeOfDependencies(rule: JsonValue, typing: Typing): Type {
  return Object.entries(isJsonObject(rule) ? rule : {})
    .slice(0, MAX_TYPED)
    .map(([key, dependents]) => typeOfDependency(key, dependents, typing))
    .reduce((left, right) => typing.intersect(left, right), ANY);
}

function typeOfDependency(key: string, dependents: JsonValue, typing: Typing): Type {
  const schema = Array.isArray(dependents) ? { required: dependents } : dependents;
  const dependentType = isJsonSchema(schema) ? typing.typeOf(schema) : ANY;
  if (dependentType === ANY) return ANY;
  const withKey = (property: Property): ObjectType => ({
    ...ANY_OBJECT,
    properties: new Map([[key, property]]),
  });
  return union([
    amongObjects(withKey({ type: NEVER, required: false })),
    typing.intersect(objectType(withKey({ type: ANY, required: true })), dependentType),
  ]);
}

/** Only draft-07 has it: 2020-12 split it into two keywords, and validators of 2020-12 disagree about the old one. */
export const dependencies: KeywordDefinition = {
  name: "dependencies",
  instead: "use dependentRequired or dependentSchemas",
  compare: compareDependents("dependencies"),
  type: typeOfDependencies,
  hidesFactsOf: ["object"],
  shape: "dependency map",
  dialects: DRAFT_07_ONLY,
  subject: "object",
  appliesInPlace: true,
  check: checkDependents,
  problem: missingProblem,
};

/** Objects with the property and without one of its dependents. */
function withoutDependents(site: BreakingSite): Candidate[] {
  const { value, rule, schemas } = site;
  const name = String(site.entry);
  if (!isJsonObject(rule) || !isJsonObject(value)) return [];
  const withName = { type: "object", required: [name] };
  const smallest = site.build(schemas, [withName], { properties: "required" });
  const base = { ...(isJsonObject(smallest) ? smallest : {}), ...value };
  return namesIn(rule[name]).map((dependent) => withoutKey(base, dependent));
}

export const dependentRequired: KeywordDefinition = {
  name: "dependentRequired",
  mayContradict: true,
  instead: "use dependencies",
  compare: compareDependents("dependentRequired"),
  type: typeOfDependencies,
  hidesFactsOf: ["object"],
  shape: "name list map",
  dialects: MODERN_ONLY,
  subject: "object",
  breaking: {
    entries: (rule) => (isJsonObject(rule) ? Object.keys(rule) : []),
    candidates: withoutDependents,
  },
  check: checkDependents,
  problem: missingProblem,
};

export const dependentSchemas: KeywordDefinition = {
  name: "dependentSchemas",
  instead: "use dependencies",
  compare: compareDependents("dependentSchemas"),
  type: typeOfDependencies,
  hidesFactsOf: ["object"],
  shape: "schema map",
  dialects: MODERN_ONLY,
  subject: "object",
  appliesInPlace: true,
  check: checkDependents,
};
