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
 * The type of a type's values after defaults were applied to them: a property with a default is
 * there, with a value of its type or the default. Follows the tree that the runtime follows, and
 * holds whatever that makes of a valid value, even where a default breaks its own schema.
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
  /** For a value that is there. */
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

/** Undefined where nothing changes. */
function fillProperty(
  object: ObjectType,
  key: string,
  defaults: Defaults,
  { apply, fill }: Appliers,
): Property | undefined {
  const listed = object.properties.get(key);
  const type = propertyType(object, key);
  const canBeMissing = listed?.required !== true && defaults.value !== undefined;
  if (canBeMissing) return { ...listed, type: fill(type, defaults), required: true };
  const applied = apply(type, defaults);
  return applied === type ? undefined : { required: false, ...listed, type: applied };
}

/** An alternative says nothing of the properties that it does not list. */
function fillAlternative(
  alternative: ObjectType,
  tree: NonNullable<Defaults["properties"]>,
  appliers: Appliers,
): ObjectType {
  const listed = Object.entries(tree).filter(([key]) => alternative.properties.has(key));
  return fillProperties(alternative, Object.fromEntries(listed), appliers);
}

function fillNamed(
  { definition, and }: NamedType,
  defaults: Defaults,
  definitions: Definitions,
  apply: Apply,
): NamedType {
  const inside = innerDefaults(defaults);
  return {
    definition: definitions.withDefaults(definition, inside),
    ...(and !== undefined && { and: apply(and, inside) }),
  };
}
