import { undecided, type KeywordCheck } from "../comparison/check.js";
import { asUndecided } from "../comparison/finding.js";
import { PropertyFacts } from "../comparison/property-facts.js";
import { keyword, schemasByName } from "../comparison/schema-node.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { BreakingSite, Candidate } from "../instances/breaking-site.js";
import { namesIn } from "../read-schema.js";
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
import { isMissing, withoutKey } from "./required.js";

/** Checks what a property asks for where it is there: others beside it, or a schema of the whole. */
function checkDependents(value: JsonValue, rule: JsonValue, checking: Checking): void {
  if (!isJsonObject(value) || !isJsonObject(rule)) return;
  for (const [property, asked] of Object.entries(rule)) {
    if (!Object.hasOwn(value, property)) continue;
    if (Array.isArray(asked)) reportMissing(property, asked, value, checking);
    else if (isJsonSchema(asked)) checking.apply(asked);
  }
}

function reportMissing(
  property: string,
  asked: readonly JsonValue[],
  value: Readonly<Record<string, JsonValue>>,
  checking: Checking,
): void {
  const noun = asked.length === 1 ? "property" : "properties";
  const message = `must have ${noun} ${asked.join(", ")} when property ${property} is present`;
  for (const name of asked) {
    if (typeof name !== "string" || Object.hasOwn(value, name)) continue;
    checking.report(message, { property: name });
  }
}

/** What a schema accepts although another asks for more beside a property. */
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

/** How many dependencies between properties a type reportsTried: each doubles the ways in which an object may be. */
const MAX_TYPED = 6;

/** For each property, objects without it, and those with all that it asks for. */
function typeOfDependencies(rule: JsonValue, typing: Typing): Type {
  return Object.entries(isJsonObject(rule) ? rule : {})
    .slice(0, MAX_TYPED)
    .map(([key, asked]) => typeOfDependency(key, asked, typing))
    .reduce((left, right) => typing.both(left, right), ANY);
}

function typeOfDependency(key: string, asked: JsonValue, typing: Typing): Type {
  const schema = Array.isArray(asked) ? { required: asked } : asked;
  const fulfilled = isJsonSchema(schema) ? typing.typeOf(schema) : ANY;
  if (fulfilled === ANY) return ANY;
  const withKey = (property: Property): ObjectType => ({
    ...ANY_OBJECT,
    properties: new Map([[key, property]]),
  });
  return union([
    amongObjects(withKey({ type: NEVER, required: false })),
    typing.both(objectType(withKey({ type: ANY, required: true })), fulfilled),
  ]);
}

/** Draft-07's alone: 2020-12 has split it, and its validators disagree about the old name. */
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
  problem: isMissing,
};

/** Objects with the property, and without one of those that it asks for. */
function withoutDependents(site: BreakingSite): Candidate[] {
  const { value, rule, schemas } = site;
  const name = String(site.entry);
  if (!isJsonObject(rule) || !isJsonObject(value)) return [];
  const asked = { type: "object", required: [name] };
  const whole = site.build(schemas, [asked], { properties: "required" });
  const base = { ...(isJsonObject(whole) ? whole : {}), ...value };
  return namesIn(rule[name]).map((dependent) => withoutKey(base, dependent));
}

export const dependentRequired: KeywordDefinition = {
  name: "dependentRequired",
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
  problem: isMissing,
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
