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
  const kinds = typing.beside("type");
  const [key, ...others] = new Set([...properties.keys(), ...required]);
  const isForObjects = kinds === undefined || kinds === "object";
  if (key === undefined || others.length > 0 || !isForObjects) return type;

  const opened = typing.open(type);
  const unwanted = { key, schema: properties.get(key) ?? true, mayBeAbsent: required.length > 0 };
  const objects = opened.objects.flatMap((object) => withoutProperty(object, unwanted, typing));
  // Without `type`, the schema accepts every value that is no object.
  const nonObjects = kinds === undefined ? NEVER : opened;
  return { ...nonObjects, objects, named: opened.named };
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
  const listed = object.properties.get(key);
  const required = (listed?.required ?? false) || !mayBeAbsent;
  if (isNever(type) && required) return [];
  const isSame = type === listed?.type && required === listed.required;
  if (isSame || (type === object.rest && listed === undefined && !required)) return [object];
  const documented = listed?.schema === undefined ? {} : { schema: listed.schema };
  const properties = new Map(object.properties).set(key, { type, required, ...documented });
  return [{ ...object, properties }];
}
