import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { isDescribed } from "../keywords/additional-properties.js";
import { acceptsAll } from "../assertions.js";
import { namesIn } from "../keyword-values.js";
import { isEqual } from "../values.js";
import type { NameTest } from "./described-names.js";
import {
  additionalOf,
  annotationsOf,
  ANY_OBJECT_FORM,
  describedNames,
  patternsOf,
  schemaOfProperty,
  withoutPropertyKeywords,
  type ObjectForm,
} from "./object-form.js";

/**
 * A form that accepts every object that any of the alternatives describes: each property has one of the schemas that
 * alternatives have for it.
 *
 * An alternative that says nothing of a property, and is open, accepts any value for it, so that no schema for the
 * property would accept all that the alternative accepts. Yet nobody learns from such an alternative that the
 * property may be sent with it, while models need the type to call the others, and clients pass on untyped what has
 * none. So the alternative has no say in this property, and servers check arguments by the original schema. It has a
 * say where something beside the alternatives describes the property, since the property then goes with each of them.
 *
 * @param isDescribedBeside true for the properties of which anything beside the alternatives says something
 */
export function widestObject(
  alternatives: readonly ObjectForm[],
  isDescribedBeside: NameTest,
): ObjectForm {
  const [first, ...others] = alternatives;
  if (first === undefined) return ANY_OBJECT_FORM;
  if (others.length === 0) return first;
  const required = namesIn(first.keywords["required"]).filter((name) =>
    others.every(({ keywords }) => namesIn(keywords["required"]).includes(name)),
  );
  const properties = [...describedNames(alternatives)].flatMap((name) => {
    const schema = widestProperty(alternatives, name, isDescribedBeside);
    return schema === undefined ? [] : [[name, schema] as const];
  });
  const additional = widestAdditional(alternatives);
  return {
    keywords: {
      ...commonKeywords(first, others),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 && { required }),
      ...(additional !== undefined && { additionalProperties: additional }),
    },
    isExact: false,
    describesAll: alternatives.every(
      (form) => form.describesAll && Object.keys(patternsOf(form)).length === 0,
    ),
    isConditional: (name) =>
      alternatives.some(
        (form) => form.isConditional(name) || isDescribed(name, undefined, patternsOf(form)),
      ),
  };
}

/** The keywords that are equal in all alternatives, without annotations and those that describe properties. */
function commonKeywords({ keywords }: ObjectForm, others: readonly ObjectForm[]): JsonObject {
  const annotations = annotationsOf(keywords);
  return Object.fromEntries(
    Object.entries(withoutPropertyKeywords(keywords)).filter(
      ([name, value]) =>
        !Object.hasOwn(annotations, name) &&
        others.every((other) => isEqual(other.keywords[name] ?? null, value)),
    ),
  );
}

/** The schema of properties that no alternative describes; undefined if no alternative has one. */
function widestAdditional(alternatives: readonly ObjectForm[]): JsonSchema | undefined {
  const rules = alternatives.map(additionalOf);
  if (rules.every((rule) => rule === undefined)) return undefined;
  if (alternatives.some((form) => Object.keys(patternsOf(form)).length > 0)) return true;
  return anyOfSchemas(rules.map((rule) => rule ?? true));
}

/**
 * The schema of a property that at least one alternative describes; undefined if they only refuse it, and others say
 * nothing of it.
 */
function widestProperty(
  alternatives: readonly ObjectForm[],
  name: string,
  isDescribedBeside: NameTest,
): JsonSchema | undefined {
  const speaking = isDescribedBeside(name)
    ? alternatives
    : alternatives.filter((form) => !isSilent(form, name));
  const widest = anyOfSchemas(speaking.map((form) => schemaOfProperty(form, name) ?? true));
  return widest === false && speaking.length < alternatives.length ? undefined : widest;
}

/** True if an alternative says nothing of a property, and is open for it. */
function isSilent(form: ObjectForm, name: string): boolean {
  const { properties, required, patternProperties } = form.keywords;
  return (
    !form.isConditional(name) &&
    (additionalOf(form) ?? true) === true &&
    !isDescribed(name, properties, patternProperties) &&
    !namesIn(required).includes(name)
  );
}

/** A schema that accepts every value that one of the schemas accepts. */
function anyOfSchemas(schemas: readonly JsonSchema[]): JsonSchema {
  const possible = schemas.filter((schema) => schema !== false);
  const different = withoutEqual(possible);
  const [first, ...others] = different;
  if (first === undefined) return false;
  if (others.length === 0) return first;
  if (different.some(acceptsAll)) {
    const words = possible.map(annotationsOf).find((found) => Object.keys(found).length > 0);
    return words ?? true;
  }
  return joinedChoices(different) ?? { anyOf: different };
}

/** Annotations that are for readers only, of which no value depends. */
const WORDS = ["title", "description", "examples", "$comment"];

/** The schemas without those that differ from a former one in words only, which gets their descriptions, too. */
function withoutEqual(schemas: readonly JsonSchema[]): JsonSchema[] {
  const different: JsonSchema[] = [];
  for (const schema of schemas) {
    const index = different.findIndex((other) =>
      isEqual(withoutWords(other), withoutWords(schema)),
    );
    const former = different[index];
    if (former === undefined) different.push(schema);
    else if (isJsonObject(former) && isJsonObject(schema)) {
      different[index] = { ...schema, ...former, ...bothDescriptions(former, schema) };
    }
  }
  return different;
}

function withoutWords(schema: JsonSchema): JsonSchema {
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !WORDS.includes(name)));
}

function bothDescriptions(one: JsonObject, other: JsonObject): JsonObject {
  const [first, second] = [one["description"], other["description"]];
  if (typeof first !== "string" || typeof second !== "string") return {};
  const isSaid = first.split(SEPARATOR).includes(second);
  return { description: isSaid ? first : first + SEPARATOR + second };
}

/** Stands between the descriptions that alternatives have for one property. */
const SEPARATOR = " / ";

/** Joins schemas that only list scalars into one list, as the discriminators of a union; else undefined. */
function joinedChoices(schemas: readonly JsonSchema[]): JsonObject | undefined {
  const lists = schemas.map(listedValues);
  if (lists.includes(undefined)) return undefined;
  const types = new Set(
    schemas.map((schema) => (isJsonObject(schema) ? schema["type"] : undefined)),
  );
  const [type] = types;
  return {
    ...annotationsOf(schemas[0]),
    ...(types.size === 1 && type !== undefined && { type }),
    enum: [...new Set(lists.flatMap((list) => list ?? []))],
  };
}

/** The scalars that a schema lists; undefined if it has other constraints. */
function listedValues(schema: JsonSchema): readonly JsonValue[] | undefined {
  if (!isJsonObject(schema)) return undefined;
  const constraints = Object.keys(schema).filter(
    (name) => !(name in annotationsOf(schema)) && name !== "type",
  );
  const [keyword, ...others] = constraints;
  if (others.length > 0) return undefined;
  const listed = keyword === "const" ? [schema["const"] ?? null] : schema["enum"];
  if (!Array.isArray(listed) || (keyword !== "const" && keyword !== "enum")) return undefined;
  return listed.every((value) => typeof value !== "object" || value === null) ? listed : undefined;
}
