import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  entriesOf,
  lastName,
  pathOfReference,
  pointerTo,
  referenceIn,
  textIn,
  type Located,
} from "./api-document.js";
import { MOST_ALL_OF_LEVELS, type SchemaContext } from "./schema-context.js";

/** True if a schema has a discriminator: a property whose value names another schema that the object must also fit. */
export const hasDiscriminator = (schema: JsonObject): boolean =>
  ownValue(schema, "discriminator") !== undefined;

/**
 * Adds to each alternative of a `oneOf` the values of its discriminator. Without them, a value can fit more than one
 * alternative, and is then refused.
 *
 * @param sources the schemas of the document that the alternatives were made from
 */
export function withDiscriminatorValues(
  alternatives: readonly JsonSchema[],
  sources: readonly Located[],
  at: Located<JsonObject>,
  context: SchemaContext,
): JsonSchema[] {
  const discriminator = ownValue(at.value, "discriminator");
  const property = isJsonObject(discriminator) ? textIn(discriminator, "propertyName") : undefined;
  if (!isJsonObject(discriminator) || property === undefined) return [...alternatives];
  const mapping = entriesOf(ownValue(discriminator, "mapping"));
  return alternatives.map((schema, index) => {
    const source = sources[index];
    const values = source === undefined ? [] : valuesOf(source, property, mapping, context);
    if (values.length === 0) return schema;
    const condition = { properties: { [property]: { enum: values } }, required: [property] };
    return { allOf: [schema, condition] };
  });
}

/** The values of the discriminator of an alternative. Empty if the schema of the alternative already has them. */
function valuesOf(
  source: Located,
  property: string,
  mapping: readonly (readonly [string, JsonValue])[],
  context: SchemaContext,
): string[] {
  const reference = referenceIn(source.value);
  if (reference === undefined) return [];
  const path = pathOfReference(reference, source.path);
  const isTarget = (target: JsonValue): boolean =>
    target === pointerTo(path) || target === lastName(path);
  const mappedValues = mapping.filter(([, target]) => isTarget(target)).map(([value]) => value);
  const { value } = context.follow(source);
  const isUnion =
    isJsonObject(value) && ["oneOf", "anyOf", "discriminator"].some((key) => key in value);
  if (mappedValues.length === 0 && isUnion) return [];
  const values = mappedValues.length === 0 ? [lastName(path)] : mappedValues;
  const declared = declaredValues(source, property, context);
  return declared.some((list) => list.length === 1)
    ? []
    : values.filter((value) => declared.every((list) => list.includes(value)));
}

/** The lists of values that a schema allows for a property, in `const` and `enum`. Those in `allOf` are included. */
function declaredValues(
  from: Located,
  property: string,
  context: SchemaContext,
  depth = 0,
): JsonValue[][] {
  const { value, path } = context.follow(from);
  if (!isJsonObject(value) || depth > MOST_ALL_OF_LEVELS) return [];
  const properties = ownValue(value, "properties");
  const member = isJsonObject(properties) ? ownValue(properties, property) : undefined;
  const schema = member === undefined ? null : context.follow({ value: member, path }).value;
  const constant = isJsonObject(schema) ? ownValue(schema, "const") : undefined;
  const values = isJsonObject(schema) ? ownValue(schema, "enum") : undefined;
  const parts = ownValue(value, "allOf");
  return [
    ...(constant === undefined ? [] : [[constant]]),
    ...(Array.isArray(values) ? [values] : []),
    ...(Array.isArray(parts) ? parts : []).flatMap((part, index) =>
      declaredValues(
        { value: part, path: [...path, "allOf", index] },
        property,
        context,
        depth + 1,
      ),
    ),
  ];
}
