import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { namesIn } from "../read-schema.js";
import { isEqual } from "../values.js";
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

/** A form for every object that any of the alternatives accepts. */
export function widestObject(alternatives: readonly ObjectForm[]): ObjectForm {
  const [first, ...others] = alternatives;
  if (first === undefined) return ANY_OBJECT_FORM;
  if (others.length === 0) return first;
  const required = namesIn(first.keywords["required"]).filter((name) =>
    others.every(({ keywords }) => namesIn(keywords["required"]).includes(name)),
  );
  const properties = [...describedNames(alternatives)].map(
    (name) => [name, widestProperty(alternatives, name)] as const,
  );
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
  };
}

/** The other keywords that all alternatives have alike. */
function commonKeywords({ keywords }: ObjectForm, others: readonly ObjectForm[]): JsonObject {
  const told = annotationsOf(keywords);
  return Object.fromEntries(
    Object.entries(withoutPropertyKeywords(keywords)).filter(
      ([name, value]) =>
        !Object.hasOwn(told, name) &&
        others.every((other) => isEqual(other.keywords[name] ?? null, value)),
    ),
  );
}

/** Of properties that no alternative describes; undefined where none says anything of them. */
function widestAdditional(alternatives: readonly ObjectForm[]): JsonSchema | undefined {
  const rules = alternatives.map(additionalOf);
  if (rules.every((rule) => rule === undefined)) return undefined;
  if (alternatives.some((form) => Object.keys(patternsOf(form)).length > 0)) return true;
  return anyOfSchemas(rules.map((rule) => rule ?? true));
}

/** An alternative that does not describe a property may take any value for it. */
function widestProperty(alternatives: readonly ObjectForm[], name: string): JsonSchema {
  const schemas = alternatives.map((form) => schemaOfProperty(form, name) ?? true);
  return anyOfSchemas(schemas);
}

/** A schema for every value that fits one of several. */
function anyOfSchemas(schemas: readonly JsonSchema[]): JsonSchema {
  const possible = schemas.filter((schema) => schema !== false);
  const different = possible.filter(
    (schema, index) => possible.findIndex((other) => isEqual(other, schema)) === index,
  );
  const [first, ...others] = different;
  if (first === undefined) return false;
  if (others.length === 0) return first;
  if (different.includes(true)) {
    const told = annotationsOf(possible.find(isJsonObject));
    return Object.keys(told).length > 0 ? told : true;
  }
  return joinedChoices(different) ?? { anyOf: different };
}

/** Lists of values as one list: the names of the alternatives of a union. */
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

/** The scalars that a schema lists; undefined where it says more than such a list. */
function listedValues(schema: JsonSchema): readonly JsonValue[] | undefined {
  if (!isJsonObject(schema)) return undefined;
  const rest = Object.keys(schema).filter(
    (name) => !(name in annotationsOf(schema)) && name !== "type",
  );
  const [keyword, ...more] = rest;
  if (more.length > 0) return undefined;
  const listed = keyword === "const" ? [schema["const"] ?? null] : schema["enum"];
  if (!Array.isArray(listed) || (keyword !== "const" && keyword !== "enum")) return undefined;
  return listed.every((value) => typeof value !== "object" || value === null) ? listed : undefined;
}
