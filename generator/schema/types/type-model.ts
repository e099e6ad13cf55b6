import { isJsonObject, type JsonSchema, type JsonValue } from "../../model/json.js";
import { writeLiteral } from "../../text/literal.js";
import type { Definition } from "./definition.js";

/**
 * A set of JSON values, kept apart by kind: a value belongs to the type if any of its parts holds
 * it. Keywords of JSON Schema constrain one kind each and leave the others alone, so this is the
 * form in which they combine without loss.
 */
export interface Type {
  readonly scalars: ReadonlyMap<ScalarKind, ScalarSet>;
  /** Alternatives. */
  readonly arrays: readonly ArrayType[];
  /** Alternatives. */
  readonly objects: readonly ObjectType[];
  /** Alternatives that are known by name; what they hold is of any kind. */
  readonly named: readonly NamedType[];
}

export type ScalarKind = "string" | "number" | "boolean" | "null";

/** All values of a kind, or those with these literals (their TypeScript text). */
export type ScalarSet = "every" | ReadonlySet<string>;

/** An array: its first elements one by one, of which the first `required` must be there, then any number of `rest`. */
export interface ArrayType {
  readonly elements: readonly Type[];
  readonly required: number;
  readonly rest: Type;
}

export interface ObjectType {
  readonly properties: ReadonlyMap<string, Property>;
  /** The type of every property that is not listed; `NEVER` where there may be none. */
  readonly rest: Type;
  /** Each is a choice: the object is also one of its alternatives, which list only what they narrow. */
  readonly refinements: readonly (readonly ObjectType[])[];
}

export interface Property {
  readonly type: Type;
  readonly required: boolean;
  /** Where its documentation stands. */
  readonly schema?: JsonSchema;
}

/** A named type, narrowed where `and` is there. */
export interface NamedType {
  readonly definition: Definition;
  readonly and?: Type;
}

/** How many lengths an array may have for each of them to be written down. */
export const MAX_SPELLED_LENGTHS = 4;

export const SCALAR_KINDS: readonly ScalarKind[] = ["string", "number", "boolean", "null"];

const NO_SCALARS: ReadonlyMap<ScalarKind, ScalarSet> = new Map();
const EVERY_SCALAR: ReadonlyMap<ScalarKind, ScalarSet> = new Map(
  SCALAR_KINDS.map((kind) => [kind, "every"]),
);

/** All values of a kind: most properties are that, and nothing else. */
const EVERY_OF: Readonly<Record<ScalarKind, ReadonlyMap<ScalarKind, ScalarSet>>> = {
  string: new Map([["string", "every"]]),
  number: new Map([["number", "every"]]),
  boolean: new Map([["boolean", "every"]]),
  null: new Map([["null", "every"]]),
};

/** No value at all. */
export const NEVER: Type = { scalars: NO_SCALARS, arrays: [], objects: [], named: [] };

/** Every JSON value, `ANY_ARRAY` and `ANY_OBJECT` among them; compared by identity. */
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

/** True where names, arrays and objects are out of the question. */
export const isScalar = (type: Type): boolean =>
  type.arrays.length + type.objects.length + type.named.length === 0;

/** The kind whose values a type holds, all of them and no others. */
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

/** Arrays of this type, or none where there is no type, and every value that is no array. */
export function amongArrays(array?: ArrayType): Type {
  if (array === undefined) return { ...ANY, arrays: [] };
  return isAnyArray(array) ? ANY : { ...ANY, arrays: [array] };
}

/** Objects of this type, and every value that is no object. */
export function amongObjects(object: ObjectType): Type {
  return isAnyObject(object) ? ANY : { ...ANY, objects: [object] };
}

/** Objects that may have these properties, and others only of a given type; and every value that is no object. */
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

/** The type that holds just one value. */
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

/** Finds what a named type holds; undefined where that is not known (yet). */
export type Expand = (definition: Definition) => Type | undefined;

/** Whether a type holds a value. */
export function holds(type: Type, value: JsonValue, expand: Expand): boolean {
  if (type === ANY) return true;
  const kind = scalarKindOf(value);
  const inNamed = type.named.some((named) => namedHolds(named, value, expand));
  if (inNamed) return true;
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
  const complete = [...object.properties].every(
    ([key, property]) => !property.required || Object.hasOwn(value, key),
  );
  return (
    complete &&
    Object.entries(value).every(([key, item]) => holds(propertyType(object, key), item, expand)) &&
    object.refinements.every((alternatives) =>
      alternatives.some((alternative) => objectHolds(alternative, value, expand)),
    )
  );
}
