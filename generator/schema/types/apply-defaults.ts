import { innerDefaults, type Defaults } from "../defaults/defaults.js";
import type { Definitions } from "./definition.js";
import { union } from "./type-algebra.js";
import {
  ANY,
  holds,
  literalType,
  propertyType,
  type ArrayType,
  type Expand,
  type NamedType,
  type ObjectType,
  type Property,
  type Type,
} from "./type-model.js";

/**
 * The type of values of a type after the runtime applied the defaults: a property with a default is required, and its
 * value is of its type or the default. A default is included even if it breaks its own schema.
 */
export function applyDefaults(
  type: Type,
  defaults: Defaults,
  definitions: Definitions,
  expand: Expand,
): Type {
  const { properties, items } = defaults;
  if (type === ANY || (properties === undefined && items === undefined)) return type;
  const apply = (inner: Type, tree: Defaults): Type =>
    applyDefaults(inner, tree, definitions, expand);
  const fill = (inner: Type, tree: Defaults): Type => withDefault(apply(inner, tree), tree, expand);
  return {
    scalars: type.scalars,
    arrays: items ? type.arrays.map((array) => fillItems(array, items, apply)) : type.arrays,
    objects: properties
      ? type.objects.map((object) => fillProperties(object, properties, { apply, fill }))
      : type.objects,
    named: type.named.map((named) => fillNamed(named, defaults, definitions, apply)),
  };
}

type Apply = (type: Type, defaults: Defaults) => Type;

interface Appliers {
  /** For a value that is present. */
  readonly apply: Apply;
  /** For a value that may have been missing. */
  readonly fill: Apply;
}

function withDefault(type: Type, { value }: Defaults, expand: Expand): Type {
  if (value === undefined || holds(type, value, expand)) return type;
  return union([type, literalType(value)]);
}

function fillItems(array: ArrayType, items: Defaults, apply: Apply): ArrayType {
  return {
    ...array,
    elements: array.elements.map((element) => apply(element, items)),
    rest: apply(array.rest, items),
  };
}

function fillProperties(
  object: ObjectType,
  tree: NonNullable<Defaults["properties"]>,
  appliers: Appliers,
): ObjectType {
  const properties = new Map(object.properties);
  for (const [key, defaults] of Object.entries(tree)) {
    const filled = fillProperty(object, key, defaults, appliers);
    if (filled !== undefined) properties.set(key, filled);
  }
  const refinements = object.refinements.map((alternatives) =>
    alternatives.map((alternative) => fillAlternative(alternative, tree, appliers)),
  );
  return { ...object, properties, refinements };
}

/** Undefined if the property does not change. */
function fillProperty(
  object: ObjectType,
  key: string,
  defaults: Defaults,
  { apply, fill }: Appliers,
): Property | undefined {
  const property = object.properties.get(key);
  const type = propertyType(object, key);
  const canBeMissing = property?.required !== true && defaults.value !== undefined;
  if (canBeMissing) return { ...property, type: fill(type, defaults), required: true };
  const changedType = apply(type, defaults);
  return changedType === type ? undefined : { required: false, ...property, type: changedType };
}

/** Only the properties that an alternative lists get their defaults. */
function fillAlternative(
  alternative: ObjectType,
  tree: NonNullable<Defaults["properties"]>,
  appliers: Appliers,
): ObjectType {
  const entries = Object.entries(tree).filter(([key]) => alternative.properties.has(key));
  return fillProperties(alternative, Object.fromEntries(entries), appliers);
}

function fillNamed(
  { definition, and }: NamedType,
  defaults: Defaults,
  definitions: Definitions,
  apply: Apply,
): NamedType {
  const inner = innerDefaults(defaults);
  return {
    definition: definitions.withDefaults(definition, inner),
    ...(and !== undefined && { and: apply(and, inner) }),
  };
}
