import { isJsonObject, type JsonSchema, type JsonValue } from "../../model/json.js";
import { writeLiteral } from "../../text/literal.js";
import type { Definition } from "./definition.js";

/**
 * A set of JSON values, divided by their kind: a value belongs to the type if one of the parts includes it. Since most
 * keywords of JSON Schema constrain values of one kind, they combine without loss in this form.
 */
export interface Type {
  readonly scalars: ReadonlyMap<ScalarKind, ScalarSet>;
  /** Alternatives. */
  readonly arrays: readonly ArrayType[];
  /** Alternatives. */
  readonly objects: readonly ObjectType[];
  /** Alternatives with names, whose values can be of any kind. */
  readonly named: readonly NamedType[];
}

export type ScalarKind = "string" | "number" | "boolean" | "null";

/** All values of a kind, or only these literals, as TypeScript text. */
export type ScalarSet = "every" | ReadonlySet<string>;

/** An array of `elements`, of which the first `required` are required, then any number of elements of type `rest`. */
export interface ArrayType {
  readonly elements: readonly Type[];
  readonly required: number;
  readonly rest: Type;
}

export interface ObjectType {
  readonly properties: ReadonlyMap<string, Property>;
  /** The type of other properties; `NEVER` if there may be none. */
  readonly rest: Type;
  /** Each is a choice: the object must also fit one of its alternatives, which list only the properties they narrow. */
  readonly refinements: readonly (readonly ObjectType[])[];
}

export interface Property {
  readonly type: Type;
  readonly required: boolean;
  /** The schema whose documentation describes the property. */
  readonly schema?: JsonSchema;
}

/** A named type, intersected with `and` if there is one. */
export interface NamedType {
  readonly definition: Definition;
  readonly and?: Type;
}

/** The most lengths of an array type that are written as separate tuples. */
export const MAX_SPELLED_LENGTHS = 4;

export const SCALAR_KINDS: readonly ScalarKind[] = ["string", "number", "boolean", "null"];

const NO_SCALARS: ReadonlyMap<ScalarKind, ScalarSet> = new Map();
const EVERY_SCALAR: ReadonlyMap<ScalarKind, ScalarSet> = new Map(
  SCALAR_KINDS.map((kind) => [kind, "every"]),
);

/** All values of one kind; shared, since most properties have these types. */
const EVERY_OF: Readonly<Record<ScalarKind, ReadonlyMap<ScalarKind, ScalarSet>>> = {
  string: new Map([["string", "every"]]),
  number: new Map([["number", "every"]]),
  boolean: new Map([["boolean", "every"]]),
  null: new Map([["null", "every"]]),
};

/** The empty type. */
export const NEVER: Type = { scalars: NO_SCALARS, arrays: [], objects: [], named: [] };

/** The type of all JSON values, with `ANY_ARRAY` and `ANY_OBJECT`; compared by identity. */
export const ANY: Type = {
  scalars: EVERY_SCALAR,
  get arrays() {
    return [ANY_ARRAY];
  },
  get objects() {
    return [ANY_OBJECT];
  },
  named: [],
};
export const ANY_ARRAY: ArrayType = { elements: [], required: 0, rest: ANY };
export const ANY_OBJECT: ObjectType = { properties: new Map(), rest: ANY, refinements: [] };

export const isNever = (type: Type): boolean => type.scalars.size === 0 && isScalar(type);

/** True if a type includes no arrays, objects or named types. */
export const isScalar = (type: Type): boolean =>
  type.arrays.length + type.objects.length + type.named.length === 0;

/** The kind of a type that is all values of one kind; else undefined. */
export function soleKind(type: Type): ScalarKind | undefined {
  if (type.scalars.size !== 1 || !isScalar(type)) return undefined;
  for (const [kind, set] of type.scalars) if (set === "every") return kind;
  return undefined;
}

/** The type of a property, listed or not. */
export const propertyType = (object: ObjectType, key: string): Type =>
  object.properties.get(key)?.type ?? object.rest;

/** The type of the element at an index. */
export const elementType = (array: ArrayType, index: number): Type =>
  array.elements[index] ?? array.rest;

export const scalarType = (kind: ScalarKind, set: ScalarSet): Type => ({
  ...NEVER,
  scalars: set === "every" ? EVERY_OF[kind] : new Map([[kind, set]]),
});

export const isAnyArray = (array: ArrayType): boolean =>
  array.required === 0 && array.elements.length === 0 && array.rest === ANY;

export const isAnyObject = ({ properties, rest, refinements }: ObjectType): boolean =>
  properties.size === 0 && rest === ANY && refinements.length === 0;

/** All values that are no array, and arrays of this type, if one is passed. */
export function amongArrays(array?: ArrayType): Type {
  if (array === undefined) return { ...ANY, arrays: [] };
  return isAnyArray(array) ? ANY : { ...ANY, arrays: [array] };
}

/** All values that are no object, and objects of this type. */
export function amongObjects(object: ObjectType): Type {
  return isAnyObject(object) ? ANY : { ...ANY, objects: [object] };
}

/** All values that are no object, and objects with any of these properties, whose others are of type `rest`. */
export function onlyProperties(names: Iterable<string>, rest: Type): Type {
  const properties = [...names].map((name) => [name, { type: ANY, required: false }] as const);
  return amongObjects({ properties: new Map(properties), rest, refinements: [] });
}

export const arrayType = (array: ArrayType): Type => ({ ...NEVER, arrays: [array] });
export const objectType = (object: ObjectType): Type => ({ ...NEVER, objects: [object] });
export const namedType = (definition: Definition): Type => ({ ...NEVER, named: [{ definition }] });

function scalarKindOf(value: JsonValue): ScalarKind | undefined {
  if (value === null) return "null";
  const kind = typeof value;
  return kind === "string" || kind === "number" || kind === "boolean" ? kind : undefined;
}

/** The type of a single value. */
export function literalType(value: JsonValue): Type {
  const kind = scalarKindOf(value);
  if (kind === "null") return scalarType(kind, "every");
  if (kind !== undefined) return scalarType(kind, new Set([writeLiteral(value)]));
  if (Array.isArray(value)) {
    return arrayType({ elements: value.map(literalType), required: value.length, rest: NEVER });
  }
  const properties = Object.entries(value as Record<string, JsonValue>).map(
    ([key, item]) => [key, { type: literalType(item), required: true }] as const,
  );
  return objectType({ properties: new Map(properties), rest: NEVER, refinements: [] });
}

/** Finds the body of a named type; undefined if it is not known (yet). */
export type Expand = (definition: Definition) => Type | undefined;

/** Whether a type includes a value. */
export function holds(type: Type, value: JsonValue, expand: Expand): boolean {
  if (type === ANY) return true;
  const kind = scalarKindOf(value);
  if (type.named.some((named) => namedHolds(named, value, expand))) return true;
  if (kind !== undefined) return setHolds(type.scalars.get(kind), value);
  if (Array.isArray(value)) return type.arrays.some((array) => arrayHolds(array, value, expand));
  return type.objects.some((object) => objectHolds(object, value, expand));
}

function setHolds(set: ScalarSet | undefined, value: JsonValue): boolean {
  return set === "every" || (set?.has(writeLiteral(value)) ?? false);
}

function namedHolds({ definition, and }: NamedType, value: JsonValue, expand: Expand): boolean {
  const body = expand(definition);
  return (
    body !== undefined &&
    holds(body, value, expand) &&
    (and === undefined || holds(and, value, expand))
  );
}

function arrayHolds(array: ArrayType, value: readonly JsonValue[], expand: Expand): boolean {
  return (
    value.length >= array.required &&
    value.every((item, index) => holds(elementType(array, index), item, expand))
  );
}

function objectHolds(object: ObjectType, value: JsonValue, expand: Expand): boolean {
  if (!isJsonObject(value)) return false;
  const hasRequired = [...object.properties].every(
    ([key, property]) => !property.required || Object.hasOwn(value, key),
  );
  return (
    hasRequired &&
    Object.entries(value).every(([key, item]) => holds(propertyType(object, key), item, expand)) &&
    object.refinements.every((alternatives) =>
      alternatives.some((alternative) => objectHolds(alternative, value, expand)),
    )
  );
}
