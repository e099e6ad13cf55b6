import { isJsonObject, type JsonValue } from "../../model/json.js";
import { finding, undecided, type Comparing, type KeywordCheck } from "./check.js";
import { Conjunction } from "./conjunction.js";
import { answerOf, asUndecided, type Finding } from "./finding.js";
import { additionalProperties, PropertyFacts } from "./property-facts.js";
import {
  keyword,
  schemaNamed,
  schemasByName,
  schemaUnder,
  type ObjectNode,
  type SchemaNode,
} from "./schema-node.js";

const SHAPE_KEYWORDS = ["properties", "patternProperties", "additionalProperties"];

/** `properties`, `patternProperties` and `additionalProperties`, which only mean something together. */
export const checkProperties: KeywordCheck = (narrow, wide, comparing) => {
  if (!narrow.types.has("object")) return [];
  if (SHAPE_KEYWORDS.every((name) => keyword(wide, name) === undefined)) return [];
  const facts = new PropertyFacts(narrow, comparing.patterns);
  const names = new Set([...schemasByName(wide, "properties").keys(), ...facts.names]);
  return [
    ...[...names].flatMap((name) => checkNamed(name, facts, wide, comparing)),
    ...checkOthers(facts, wide, comparing),
  ];
};

/** A property that one of the two describes. */
function checkNamed(
  name: string,
  facts: PropertyFacts,
  wide: ObjectNode,
  comparing: Comparing,
): Finding[] {
  const { narrow } = facts;
  const own = facts.schemasOf(name);
  const inside = new Conjunction(own, { ...narrow.placeOf(), path: pathTo(narrow, name) });
  if (inside.isNever) return [];
  const described = schemaNamed(wide, "properties", name);
  const patterned = matchingPatterns(name, wide, comparing);
  if (patterned === undefined) return [undecided(narrow, wide, "patternProperties")];
  const expected = described === undefined ? patterned : [described, ...patterned];
  if (expected.length > 0) {
    const found = expected.flatMap((schema) => comparing.compareInside(inside, schema));
    if (own.length > 0 || described === undefined) return found;
    const answer = answerOf(found);
    const excess = { kind: "described property", property: name } as const;
    return [finding(answer, excess, narrow, wide, ["properties", name])];
  }
  const rest = additionalProperties(wide);
  if (rest === undefined) return [];
  if (rest.schema !== false) return comparing.compareInside(inside, rest);
  const excess = { kind: "refused property", property: name } as const;
  return [finding("incompatible", excess, narrow, wide, ["properties", name])];
}

function pathTo(narrow: Conjunction, property: string): (string | number)[] {
  return [...narrow.placeOf("properties").path, "properties", property];
}

/** The schemas under patterns that a name matches; undefined where that is not known. */
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

/** The properties that neither describes by name. */
function checkOthers(facts: PropertyFacts, wide: ObjectNode, comparing: Comparing): Finding[] {
  const { narrow } = facts;
  const byPattern = schemasByName(wide, "patternProperties");
  const found = [...byPattern].flatMap(([pattern, schema]) =>
    facts
      .othersMatching(pattern)
      .flatMap((others) => comparing.compareInside(others, schema))
      .filter(({ answer }) => answer !== "compatible"),
  );
  const rest = additionalProperties(wide);
  if (rest !== undefined && rest.schema !== true) {
    const refused = facts
      .othersBut([...byPattern.keys()])
      .flatMap((others) => comparing.compareInside(others, rest));
    if (answerOf(refused) !== "compatible") {
      const isCertain = byPattern.size === 0 && narrow.isExactFor("object");
      const answer = isCertain ? answerOf(refused) : "unknown";
      const excess = { kind: "other properties", isAll: rest.schema === false } as const;
      found.push(finding(answer, excess, narrow, wide, ["additionalProperties"]));
    }
  }
  return found;
}

/** `required` */
export const checkRequired: KeywordCheck = (narrow, wide) => {
  const names = keyword(wide, "required");
  if (!Array.isArray(names) || !narrow.types.has("object")) return [];
  const own = narrow.required;
  return names.flatMap((name) => {
    if (typeof name !== "string" || own.has(name)) return [];
    const answer = narrow.isExactFor("object") ? "incompatible" : "unknown";
    const excess = { kind: "absent property", property: name } as const;
    return [finding(answer, excess, narrow, wide, ["properties", name])];
  });
};

/** `propertyNames` */
export const checkPropertyNames: KeywordCheck = (narrow, wide, comparing) => {
  const schema = schemaUnder(wide, "propertyNames");
  if (schema === undefined || !narrow.types.has("object")) return [];
  const own = narrow.nodes.flatMap((node) => schemaUnder(node, "propertyNames") ?? []);
  const facts = new PropertyFacts(narrow, comparing.patterns);
  const place = narrow.placeOf("propertyNames");
  const text: JsonValue = facts.isClosed ? { enum: [...facts.names] } : { type: "string" };
  const names = new Conjunction([...own, { ...place, schema: text }], place);
  return asUndecided(comparing.compareInside(names, schema), "propertyNames");
};

/** `dependentRequired`, `dependentSchemas` and draft-07's `dependencies` */
export const checkDependencies: KeywordCheck = (narrow, wide, comparing) =>
  ["dependentRequired", "dependentSchemas", "dependencies"].flatMap((name) => {
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
  });

/** `unevaluatedProperties`, which depends on all that stands beside it: only proven where all of that is the same. */
export const checkUnevaluated: KeywordCheck = (narrow, wide) =>
  [
    { name: "unevaluatedProperties", type: "object" } as const,
    { name: "unevaluatedItems", type: "array" } as const,
  ].flatMap(({ name, type }) => {
    const schema = schemaUnder(wide, name);
    const isOpen = schema === undefined || schema.schema === true;
    return isOpen || !narrow.types.has(type) ? [] : [undecided(narrow, wide, name)];
  });
