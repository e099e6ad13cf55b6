import type { JsonSchema, JsonValue } from "../../model/json.js";
import { namesIn, schemaEntries } from "../keyword-values.js";
import { isNever, NEVER, propertyType, type ObjectType, type Type } from "../types/type-model.js";
import type { Typing } from "../types/typing.js";

/**
 * Removes from a type the objects that `type`, `properties` and `required` of a schema accept together. It removes
 * nothing if the schema has more than one property, since that would need an alternative for each.
 */
export function withoutObjects(type: Type, _rule: JsonValue, typing: Typing): Type {
  const properties = new Map(schemaEntries(typing.beside("properties")));
  const required = namesIn(typing.beside("required"));
  const types = typing.beside("type");
  const [key, ...others] = new Set([...properties.keys(), ...required]);
  const isForObjects = types === undefined || types === "object";
  if (key === undefined || others.length > 0 || !isForObjects) return type;

  const expanded = typing.expandNames(type);
  const removedProperty = {
    key,
    schema: properties.get(key) ?? true,
    mayBeAbsent: required.length > 0,
  };
  const objects = expanded.objects.flatMap((object) =>
    withoutProperty(object, removedProperty, typing),
  );
  // Without `type`, the schema accepts every value that is no object.
  const nonObjects = types === undefined ? NEVER : expanded;
  return { ...nonObjects, objects, named: expanded.named };
}

interface UnwantedProperty {
  readonly key: string;
  readonly schema: JsonSchema;
  /** True if objects without the property are not removed. */
  readonly mayBeAbsent: boolean;
}

function withoutProperty(
  object: ObjectType,
  { key, schema, mayBeAbsent }: UnwantedProperty,
  typing: Typing,
): ObjectType[] {
  const type = typing.without(propertyType(object, key), schema);
  const property = object.properties.get(key);
  const required = (property?.required ?? false) || !mayBeAbsent;
  if (isNever(type) && required) return [];
  const isSame = type === property?.type && required === property.required;
  if (isSame || (type === object.rest && property === undefined && !required)) return [object];
  const documentation = property?.schema === undefined ? {} : { schema: property.schema };
  const properties = new Map(object.properties).set(key, { type, required, ...documentation });
  return [{ ...object, properties }];
}
