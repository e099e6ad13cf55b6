import {
  ANY,
  ANY_ARRAY,
  ANY_OBJECT,
  elementType,
  isAnyArray,
  isAnyObject,
  isNever,
  isScalar,
  NEVER,
  propertyType,
  SCALAR_KINDS,
  type ArrayType,
  type Expand,
  type NamedType,
  type ObjectType,
  type Property,
  type ScalarKind,
  type ScalarSet,
  type Type,
} from "./type-model.js";

/*
 * Union and intersection of types. Results may include more values than the exact result, but never fewer: if a result
 * would become too large, a constraint is dropped.
 */

/** The most combinations of alternatives in one type; beyond, the alternatives of one side are dropped. */
const MAX_COMBINATIONS = 256;

/** The union of types. */
export function union(types: readonly Type[]): Type {
  const possibleTypes = types.filter((type) => !isNever(type));
  if (possibleTypes.includes(ANY)) return ANY;
  if (possibleTypes.length === 1 && possibleTypes[0] !== undefined) return possibleTypes[0];
  const all: Type = {
    scalars: uniteScalars(possibleTypes),
    arrays: absorb(
      possibleTypes.flatMap((type) => type.arrays),
      isAnyArray,
      ANY_ARRAY,
    ),
    objects: absorb(
      possibleTypes.flatMap((type) => type.objects),
      isAnyObject,
      ANY_OBJECT,
    ),
    named: uniteNamed(possibleTypes.flatMap((type) => type.named)),
  };
  return isEverything(all) ? ANY : all;
}

function isEverything({ scalars, arrays, objects }: Type): boolean {
  return (
    arrays[0] === ANY_ARRAY &&
    objects[0] === ANY_OBJECT &&
    SCALAR_KINDS.every((kind) => scalars.get(kind) === "every")
  );
}

function absorb<Part>(parts: readonly Part[], isAny: (part: Part) => boolean, any: Part): Part[] {
  return parts.some(isAny) ? [any] : [...new Set(parts)];
}

function uniteNamed(parts: readonly NamedType[]): NamedType[] {
  const whole = new Set(parts.filter(({ and }) => !and).map(({ definition }) => definition));
  const narrowed = parts.filter(({ definition, and }) => and && !whole.has(definition));
  return [...[...whole].map((definition) => ({ definition })), ...narrowed];
}

function uniteScalars(types: readonly Type[]): ReadonlyMap<ScalarKind, ScalarSet> {
  const scalars = new Map<ScalarKind, ScalarSet>();
  for (const kind of SCALAR_KINDS) {
    const sets = types.flatMap((type) => type.scalars.get(kind) ?? []);
    if (sets.length > 0) scalars.set(kind, uniteSets(kind, sets));
  }
  return scalars;
}

function uniteSets(kind: ScalarKind, sets: readonly ScalarSet[]): ScalarSet {
  const literals = new Set<string>();
  for (const set of sets) {
    if (set === "every") return "every";
    for (const literal of set) literals.add(literal);
  }
  return kind === "boolean" && literals.size === 2 ? "every" : literals;
}

/**
 * Intersects types. Named types are replaced by their bodies so that these can be merged; one that `expand` does not
 * replace stays, narrowed by the other type.
 */
export class Intersections {
  readonly #expand: Expand;
  readonly #inner: Intersections;
  /** Cached intersections of pairs of types. */
  readonly #merged = new Map<Type, Map<Type, Type>>();

  /** @param opensAll false inside objects and arrays, where only named scalars are replaced, since other types may be recursive */
  constructor(expand: Expand, opensAll = true) {
    this.#expand = opensAll ? expand : expandingScalars(expand);
    this.#inner = opensAll ? new Intersections(expand, false) : this;
  }

  /** The intersection of two types. */
  intersect(left: Type, right: Type): Type {
    if (left === right || right === ANY) return left;
    if (left === ANY) return right;
    if (isSameName(left, right)) return left;
    const ofLeft = this.#merged.get(left) ?? new Map<Type, Type>();
    this.#merged.set(left, ofLeft);
    const merged =
      ofLeft.get(right) ?? this.#merge(this.expandNames(left), this.expandNames(right));
    ofLeft.set(right, merged);
    return merged;
  }

  /** Replaces named types by their bodies, as far as `expand` knows them. */
  expandNames(type: Type): Type {
    if (type.named.length === 0) return type;
    const bodies = type.named.map((named): Type => {
      const body = this.#expand(named.definition);
      if (body === undefined) return { ...NEVER, named: [named] };
      return named.and === undefined ? body : this.intersect(body, named.and);
    });
    return union([{ ...type, named: [] }, ...bodies]);
  }

  #merge(a: Type, b: Type): Type {
    return {
      scalars: intersectScalars(a, b),
      arrays: combine(a.arrays, b.arrays, (x, y) => this.#mergeArrays(x, y)),
      objects: this.#mergeObjectChoices(a.objects, b.objects),
      named: [
        ...a.named.flatMap((named) => this.#narrow(named, b)),
        ...b.named.flatMap((named) => this.#narrow(named, { ...a, named: [] })),
      ],
    };
  }

  #narrow({ definition, and }: NamedType, by: Type): NamedType[] {
    const narrowed = and === undefined ? by : this.intersect(and, by);
    return isNever(narrowed) ? [] : [{ definition, and: narrowed }];
  }

  /** Undefined if no array is of both types. */
  #mergeArrays(a: ArrayType, b: ArrayType): ArrayType | undefined {
    if (isAnyArray(a)) return b;
    if (isAnyArray(b)) return a;
    const required = Math.max(a.required, b.required);
    const elements: Type[] = [];
    for (let index = 0; index < Math.max(a.elements.length, b.elements.length); index++) {
      const element = this.#inner.intersect(elementType(a, index), elementType(b, index));
      if (isNever(element)) {
        return index < required ? undefined : { elements, required, rest: NEVER };
      }
      elements.push(element);
    }
    return { elements, required, rest: this.#inner.intersect(a.rest, b.rest) };
  }

  #mergeObjectChoices(
    left: readonly ObjectType[],
    right: readonly ObjectType[],
  ): readonly ObjectType[] {
    const merged = combine(left, right, (x, y) => this.#mergeObjects(x, y));
    if (left.length !== 1 && right.length !== 1) return merged;
    const [[base], alternatives] = left.length === 1 ? [left, right] : [right, left];
    return base !== undefined && alternatives.length > 1 ? chooseAmong(base, merged) : merged;
  }

  /** Undefined if no object is of both types. */
  #mergeObjects(a: ObjectType, b: ObjectType): ObjectType | undefined {
    if (isAnyObject(a)) return b;
    if (isAnyObject(b)) return a;
    const rest = this.#inner.intersect(a.rest, b.rest);
    const properties = new Map<string, Property>();
    for (const key of new Set([...a.properties.keys(), ...b.properties.keys()])) {
      const property = this.#mergeProperties(a, b, key);
      const isAbsent = isNever(property.type);
      if (isAbsent && property.required) return undefined;
      if (!isAbsent || !isNever(rest)) properties.set(key, property);
    }
    return { properties, rest, refinements: mergeRefinements(a, b) };
  }

  #mergeProperties(a: ObjectType, b: ObjectType, key: string): Property {
    const [x, y] = [a.properties.get(key), b.properties.get(key)];
    const type = this.#inner.intersect(propertyType(a, key), propertyType(b, key));
    const schema = x?.schema ?? y?.schema;
    const required = (x?.required ?? false) || (y?.required ?? false);
    return { type, required, ...(schema !== undefined && { schema }) };
  }
}

function expandingScalars(expand: Expand): Expand {
  return (definition) => {
    const body = expand(definition);
    return body !== undefined && isScalar(body) ? body : undefined;
  };
}

function isSameName(left: Type, right: Type): boolean {
  const [a, b] = [soleName(left), soleName(right)];
  return a !== undefined && a === b;
}

/** The definition of a type that is only a named type; else undefined. */
function soleName({ scalars, arrays, objects, named }: Type): NamedType["definition"] | undefined {
  const [only] = named;
  const isOnlyName = named.length === 1 && scalars.size + arrays.length + objects.length === 0;
  return isOnlyName && only?.and === undefined ? only?.definition : undefined;
}

function intersectScalars(a: Type, b: Type): ReadonlyMap<ScalarKind, ScalarSet> {
  const scalars = new Map<ScalarKind, ScalarSet>();
  for (const [kind, x] of a.scalars) {
    const y = b.scalars.get(kind);
    if (y === undefined) continue;
    const intersect = intersectSets(x, y);
    if (intersect === "every" || intersect.size > 0) scalars.set(kind, intersect);
  }
  return scalars;
}

function intersectSets(x: ScalarSet, y: ScalarSet): ScalarSet {
  if (x === "every") return y;
  if (y === "every") return x;
  return new Set([...x].filter((literal) => y.has(literal)));
}

/** Merges each alternative of one side with each of the other. */
function combine<Part>(
  left: readonly Part[],
  right: readonly Part[],
  merge: (x: Part, y: Part) => Part | undefined,
): readonly Part[] {
  if (left.length * right.length > MAX_COMBINATIONS) return left;
  return left.flatMap((x) => right.flatMap((y) => merge(x, y) ?? []));
}

function mergeRefinements(a: ObjectType, b: ObjectType): ObjectType["refinements"] {
  const refinements = [...new Set([...a.refinements, ...b.refinements])];
  return combinationsOf(refinements) > MAX_COMBINATIONS ? a.refinements : refinements;
}

const combinationsOf = (refinements: ObjectType["refinements"]): number =>
  refinements.reduce((product, alternatives) => product * alternatives.length, 1);

/**
 * The union of objects that all narrow one base object: the base with a choice of the properties that they change, so
 * that common properties occur once.
 */
export function chooseAmong(
  base: ObjectType,
  alternatives: readonly ObjectType[],
): readonly ObjectType[] {
  const [only, ...others] = alternatives;
  if (only === undefined || others.length === 0) return alternatives;
  const isShared = base.properties.size > 0 && alternatives.every(({ rest }) => rest === base.rest);
  if (!isShared) return alternatives;
  const narrowed = alternatives.map((alternative) => narrowedParts(base, alternative));
  if (narrowed.some(isAnyObject)) return [base];
  const refinements = [...base.refinements, narrowed];
  return combinationsOf(refinements) > MAX_COMBINATIONS ? [base] : [{ ...base, refinements }];
}

function narrowedParts(base: ObjectType, alternative: ObjectType): ObjectType {
  const changed = [...alternative.properties].filter(([key, property]) => {
    const inBase = base.properties.get(key);
    return inBase?.type !== property.type || inBase.required !== property.required;
  });
  const refinements = alternative.refinements.filter(
    (choice) => !base.refinements.includes(choice),
  );
  return { properties: new Map(changed), rest: ANY, refinements };
}
