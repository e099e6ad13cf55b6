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
import { namesIn, schemaEntries } from "../read-schema.js";
import { isEqual } from "../values.js";

/** The schema of an object without a combination of schemas at its root. */
export interface ObjectForm {
  readonly keywords: JsonObject;
  /** False where it accepts values that the schema from which it was made refuses. */
  readonly isExact: boolean;
  /** False where properties may be evaluated that the form does not describe. */
  readonly describesAll: boolean;
}

/** Accepts every object. */
export const ANY_OBJECT_FORM: ObjectForm = { keywords: {}, isExact: true, describesAll: true };

/** Accepts every object, in place of a schema that says more. */
export const UNREAD_FORM: ObjectForm = { keywords: {}, isExact: false, describesAll: false };

/** The keywords that say which properties there are, and how they are. */
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

/** `if` with the two that it decides about. */
const CONDITION = ["if", "then", "else"];

export const patternsOf = ({ keywords }: ObjectForm): JsonObject =>
  isJsonObject(keywords["patternProperties"]) ? keywords["patternProperties"] : {};

/** What a form says of a property; undefined where that is nothing, or what a pattern says. */
export function schemaOfProperty(form: ObjectForm, name: string): JsonSchema | undefined {
  const { properties, patternProperties } = form.keywords;
  const described = isJsonObject(properties) ? ownValue(properties, name) : undefined;
  if (isJsonSchema(described)) return described;
  // Here it asks the patterns alone.
  return isDescribed(name, undefined, patternProperties) ? undefined : additionalOf(form);
}

/** What a form says of properties that it does not describe. */
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

/** The objects that both forms accept; more where their keywords cannot be said side by side. */
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
  };
}

/** Whether what one form says of other properties reaches those that a pattern of the other describes. */
function hasSamePatterns(a: ObjectForm, b: ObjectForm): boolean {
  const isOpen = [a, b].every((form) => (additionalOf(form) ?? true) === true);
  return isOpen || isEqual(Object.keys(patternsOf(a)).sort(), Object.keys(patternsOf(b)).sort());
}

/** The keywords of two forms that say nothing of single properties. */
function joinOthers(a: JsonObject, b: JsonObject): { keywords: JsonObject; isExact: boolean } {
  const keywords = withoutPropertyKeywords(a);
  let isExact = true;
  for (const [name, value] of Object.entries(withoutPropertyKeywords(b))) {
    const own = ownValue(keywords, name);
    const joined = own === undefined ? value : joinRules(name, own, value);
    if (joined === undefined) isExact = false;
    else keywords[name] = joined;
  }
  const isMixed = CONDITION.some((name) => a[name] !== undefined && b[name] !== undefined);
  if (!isMixed) return { keywords, isExact };
  // Two conditions cannot stand beside each other: the first stays.
  for (const name of CONDITION) {
    if (a[name] === undefined) delete keywords[name];
    else keywords[name] = a[name];
  }
  return { keywords, isExact: isExact && CONDITION.every((name) => isSame(a[name], b[name])) };
}

const isSame = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  a === undefined || b === undefined ? a === b : isEqual(a, b);

/** One rule for two of a keyword; undefined where no such rule says both. */
function joinRules(name: string, a: JsonValue, b: JsonValue): JsonValue | undefined {
  if (refusesNothing(name) || !KEYWORDS.has(name) || isEqual(a, b)) return a;
  if (name === "minProperties") return Math.max(Number(a), Number(b));
  if (name === "maxProperties") return Math.min(Number(a), Number(b));
  if (name === "propertyNames") return { allOf: [a, b] };
  return undefined;
}

function joinMaps(a: JsonObject, b: JsonObject): JsonObject {
  const joined = new Map(schemaEntries(a));
  for (const [key, schema] of schemaEntries(b)) {
    joined.set(key, joinSchemas(joined.get(key), schema) ?? true);
  }
  return Object.fromEntries(joined);
}

/** A schema for values that fit both; undefined for no schema at all. */
function joinSchemas(a?: JsonSchema, b?: JsonSchema): JsonSchema | undefined {
  if (a === undefined || (a === true && b !== undefined)) return b;
  if (b === undefined || b === true || a === false || isEqual(a, b)) return a;
  if (b === false || a === true) return b;
  if (canStandTogether(a, b)) return { ...b, ...a };
  return { ...annotationsOf(b), ...annotationsOf(a), allOf: [a, b] };
}

/** Whether the keywords of two schemas mean in one what they mean in two. */
function canStandTogether(a: JsonObject, b: JsonObject): boolean {
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

/** Whether a keyword means the same whatever stands beside it. */
const isIndependent = (name: string): boolean =>
  ["type", "enum", "const"].includes(name) ||
  ["string", "number"].includes(KEYWORDS.get(name)?.subject ?? "");

const isAnnotation = (name: string): boolean => refusesNothing(name) || !KEYWORDS.has(name);

/** What a schema tells people and clients, without what it refuses. */
export function annotationsOf(schema: JsonSchema | undefined): JsonObject {
  if (!isJsonObject(schema)) return {};
  const isTarget = (name: string): boolean => KEYWORDS.get(name)?.isTarget === true;
  return Object.fromEntries(
    Object.entries(schema).filter(([name]) => isAnnotation(name) && !isTarget(name)),
  );
}
