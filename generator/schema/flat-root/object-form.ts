import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { refusesNothing } from "../assertions.js";
import { isJsonSchema, ownValue } from "../json-schema.js";
import { isDescribed } from "../keywords/additional-properties.js";
import { KEYWORDS } from "../keywords/index.js";
import { namesIn, schemaEntries } from "../keyword-values.js";
import { isEqual } from "../values.js";
import type { NameTest } from "./described-names.js";

/** A schema for objects without a combination of schemas at its root. */
export interface ObjectForm {
  readonly keywords: JsonObject;
  /** False if it accepts values that the original schema refuses. */
  readonly isExact: boolean;
  /** False if the original schema may evaluate properties that the form does not describe. */
  readonly describesAll: boolean;
  /** True for the properties of which conditions of the original schema say something. */
  readonly isConditional: NameTest;
}

/** Accepts every object. */
export const ANY_OBJECT_FORM: ObjectForm = {
  ...{ keywords: {}, isExact: true, describesAll: true },
  isConditional: () => false,
};

/** Accepts every object; used for a schema that could not be read. */
export const UNREAD_FORM: ObjectForm = {
  ...{ keywords: {}, isExact: false, describesAll: false },
  isConditional: () => true,
};

/** The keywords that describe single properties. */
const PROPERTY_KEYWORDS: ReadonlySet<string> = new Set([
  "properties",
  "required",
  "patternProperties",
  "additionalProperties",
]);

export function withoutPropertyKeywords(keywords: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(keywords).filter(([name]) => !PROPERTY_KEYWORDS.has(name)),
  );
}

const CONDITION = ["if", "then", "else"];

export const patternsOf = ({ keywords }: ObjectForm): JsonObject =>
  isJsonObject(keywords["patternProperties"]) ? keywords["patternProperties"] : {};

/** The schema that a form has for a property; undefined if it has none, or a pattern matches the property. */
export function schemaOfProperty(form: ObjectForm, name: string): JsonSchema | undefined {
  const { properties, patternProperties } = form.keywords;
  const described = isJsonObject(properties) ? ownValue(properties, name) : undefined;
  if (isJsonSchema(described)) return described;
  // Without `properties`, `isDescribed` looks at the patterns only.
  return isDescribed(name, undefined, patternProperties) ? undefined : additionalOf(form);
}

/** The value of `additionalProperties`; undefined if it is absent. */
export function additionalOf({ keywords }: ObjectForm): JsonSchema | undefined {
  const rule = keywords["additionalProperties"];
  return typeof rule === "boolean" || isJsonObject(rule) ? rule : undefined;
}

/** The names of the properties that any of the forms describes, in the order of the forms. */
export function describedNames(forms: readonly ObjectForm[]): Set<string> {
  return new Set(
    forms.flatMap(({ keywords }) => schemaEntries(keywords["properties"]).map(([name]) => name)),
  );
}

/** A form for the objects that both forms accept. It accepts more, and is not exact, if keywords cannot be joined. */
export function bothForms(a: ObjectForm, b: ObjectForm): ObjectForm {
  const { keywords, isExact } = joinOthers(a.keywords, b.keywords);
  const required = [...new Set([a, b].flatMap((form) => namesIn(form.keywords["required"])))];
  const additional = joinSchemas(additionalOf(a), additionalOf(b));
  const patterns = joinMaps(patternsOf(a), patternsOf(b));
  const properties = [...describedNames([a, b])]
    .map((name) => {
      const joined = joinSchemas(schemaOfProperty(a, name), schemaOfProperty(b, name));
      return [name, joined ?? true] as const;
    })
    .filter(([, schema]) => schema !== false || additional !== false);
  return {
    keywords: {
      ...keywords,
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 && { required }),
      ...(Object.keys(patterns).length > 0 && { patternProperties: patterns }),
      ...(additional !== undefined && { additionalProperties: additional }),
    },
    isExact: a.isExact && b.isExact && isExact && hasSamePatterns(a, b),
    describesAll: a.describesAll && b.describesAll,
    isConditional: either(a.isConditional, b.isConditional),
  };
}

/** True for the names for which one of the tests is. */
function either(one: NameTest, other: NameTest): NameTest {
  return (name) => one(name) || other(name);
}

/** False if `additionalProperties` of one form would have to hold for properties that match a pattern of the other. */
function hasSamePatterns(a: ObjectForm, b: ObjectForm): boolean {
  const isOpen = [a, b].every((form) => (additionalOf(form) ?? true) === true);
  return isOpen || isEqual(Object.keys(patternsOf(a)).sort(), Object.keys(patternsOf(b)).sort());
}

/** Joins the keywords of two forms that do not describe single properties. */
function joinOthers(a: JsonObject, b: JsonObject): { keywords: JsonObject; isExact: boolean } {
  const keywords = withoutPropertyKeywords(a);
  let isExact = true;
  for (const [name, value] of Object.entries(withoutPropertyKeywords(b))) {
    const first = ownValue(keywords, name);
    const joined = first === undefined ? value : joinRules(name, first, value);
    if (joined === undefined) isExact = false;
    else keywords[name] = joined;
  }
  const isMixed = CONDITION.some((name) => a[name] !== undefined && b[name] !== undefined);
  if (!isMixed) return { keywords, isExact };
  // A schema can have one condition only: the first one stays.
  for (const name of CONDITION) {
    if (a[name] === undefined) delete keywords[name];
    else keywords[name] = a[name];
  }
  return { keywords, isExact: isExact && CONDITION.every((name) => isSame(a[name], b[name])) };
}

const isSame = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  a === undefined || b === undefined ? a === b : isEqual(a, b);

/** Joins two values of a keyword into one; undefined if no value means both. */
function joinRules(name: string, a: JsonValue, b: JsonValue): JsonValue | undefined {
  if (refusesNothing(name) || !KEYWORDS.has(name) || isEqual(a, b)) return a;
  return KEYWORDS.get(name)?.join?.(a, b);
}

function joinMaps(a: JsonObject, b: JsonObject): JsonObject {
  const joined = new Map(schemaEntries(a));
  for (const [key, schema] of schemaEntries(b)) {
    joined.set(key, joinSchemas(joined.get(key), schema) ?? true);
  }
  return Object.fromEntries(joined);
}

/** A schema for the values that fit both; undefined if there is neither. */
function joinSchemas(a?: JsonSchema, b?: JsonSchema): JsonSchema | undefined {
  if (a === undefined || (a === true && b !== undefined)) return b;
  if (b === undefined || b === true || a === false || isEqual(a, b)) return a;
  if (b === false || a === true) return b;
  if (canBeMerged(a, b)) return { ...b, ...a };
  return { ...annotationsOf(b), ...annotationsOf(a), allOf: [a, b] };
}

/** True if the keywords of two schemas mean the same in one schema. */
function canBeMerged(a: JsonObject, b: JsonObject): boolean {
  const constraints = [a, b].map((schema) =>
    Object.keys(schema).filter((name) => !isAnnotation(name)),
  );
  if (constraints.some((names) => names.length === 0)) return true;
  return (
    constraints.flat().every(isIndependent) &&
    Object.keys(a).every(
      (name) => isAnnotation(name) || isSame(a[name], ownValue(b, name) ?? a[name]),
    )
  );
}

/** True if the meaning of a keyword does not depend on the keywords beside it. */
const isIndependent = (name: string): boolean =>
  ["type", "enum", "const"].includes(name) ||
  ["string", "number"].includes(KEYWORDS.get(name)?.subject ?? "");

const isAnnotation = (name: string): boolean => refusesNothing(name) || !KEYWORDS.has(name);

/** The keywords of a schema that refuse no value, such as `description`, without anchors and definitions. */
export function annotationsOf(schema: JsonSchema | undefined): JsonObject {
  if (!isJsonObject(schema)) return {};
  const isTarget = (name: string): boolean => KEYWORDS.get(name)?.isTarget === true;
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => isAnnotation(name) && !isTarget(name)),
  );
}
