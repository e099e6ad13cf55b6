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
import type { Reading } from "./schema-reading.js";

/** Levels of `allOf` in which a property is looked for. */
const DEEPEST = 8;

/** Whether a schema says by a property of its values which other schemas hold for them too. */
export const hasDiscriminator = (schema: JsonObject): boolean =>
  ownValue(schema, "discriminator") !== undefined;

/**
 * The alternatives of a `oneOf`, each with the values of its discriminator: without them, a value may fit several,
 * and is refused.
 */
export function toldApart(
  alternatives: readonly JsonSchema[],
  at: Located<JsonObject>,
  reading: Reading,
): JsonSchema[] {
  const discriminator = ownValue(at.value, "discriminator");
  const property = isJsonObject(discriminator) ? textIn(discriminator, "propertyName") : undefined;
  const sources = ownValue(at.value, "oneOf");
  if (!isJsonObject(discriminator) || property === undefined || !Array.isArray(sources))
    return [...alternatives];
  const mapping = entriesOf(ownValue(discriminator, "mapping"));
  return alternatives.map((schema, index) => {
    const source = { value: sources[index] ?? null, path: [...at.path, "oneOf", index] };
    const values = valuesOf(source, property, mapping, reading);
    if (values.length === 0) return schema;
    const told = { properties: { [property]: { enum: values } }, required: [property] };
    return { allOf: [schema, told] };
  });
}

/** What the discriminator of an alternative says; nothing where the alternative says it itself. */
function valuesOf(
  source: Located,
  property: string,
  mapping: readonly (readonly [string, JsonValue])[],
  reading: Reading,
): string[] {
  const reference = referenceIn(source.value);
  if (reference === undefined) return [];
  const path = pathOfReference(reference, source.path);
  const isTarget = (target: JsonValue): boolean =>
    target === pointerTo(path) || target === lastName(path);
  const mapped = mapping.filter(([, target]) => isTarget(target)).map(([value]) => value);
  const { value } = reading.follow(source);
  const isSplit =
    isJsonObject(value) && ["oneOf", "anyOf", "discriminator"].some((key) => key in value);
  if (mapped.length === 0 && isSplit) return [];
  const values = mapped.length === 0 ? [lastName(path)] : mapped;
  const said = valuesSaid(source, property, reading);
  return said.some((list) => list.length === 1)
    ? []
    : values.filter((one) => said.every((list) => list.includes(one)));
}

/** The lists of values that a schema, or what `allOf` adds to it, allows for a property. */
function valuesSaid(from: Located, property: string, reading: Reading, depth = 0): JsonValue[][] {
  const { value, path } = reading.follow(from);
  if (!isJsonObject(value) || depth > DEEPEST) return [];
  const properties = ownValue(value, "properties");
  const found = isJsonObject(properties) ? ownValue(properties, property) : undefined;
  const own = found === undefined ? null : reading.follow({ value: found, path }).value;
  const constant = isJsonObject(own) ? ownValue(own, "const") : undefined;
  const values = isJsonObject(own) ? ownValue(own, "enum") : undefined;
  const parts = ownValue(value, "allOf");
  return [
    ...(constant === undefined ? [] : [[constant]]),
    ...(Array.isArray(values) ? [values] : []),
    ...(Array.isArray(parts) ? parts : []).flatMap((part, index) =>
      valuesSaid({ value: part, path: [...path, "allOf", index] }, property, reading, depth + 1),
    ),
  ];
}
