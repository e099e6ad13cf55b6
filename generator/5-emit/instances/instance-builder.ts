import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { isJsonSchema, ownValue, TYPE_NAMES } from "../../model/json-schema.js";
import { canonicalText, isEqual } from "../validators/runtime-pieces.js";
import { makeNumber } from "./number-values.js";
import { patternSampler } from "./pattern-sample.js";
import {
  entriesOf,
  itemSchemas,
  namesIn,
  prefixLength,
  propertySchemas,
  type Places,
} from "./places.js";
import { makeString } from "./string-values.js";
import { numbersAt, TYPICAL, type Wish } from "./wish.js";

/** The most items that an array of an instance may hold, and properties an object. */
export const MAXIMUM_ITEMS = 200;
/** From here on only what is required is made. */
const DEPTH_OF_OPTIONAL = 12;
const MAXIMUM_DEPTH = 70;
/** How many values one instance may be made of; beyond half of them only what is required. */
const MAXIMUM_VALUES = 2_000;
/** Arrays without need for more have at most so many items at their upper bound. */
const LONG_ARRAY = 20;

type TypeName = (typeof TYPE_NAMES)[number];

/** Makes values from schemas. They are likely to be valid; whoever needs it proved asks a validator. */
export class InstanceBuilder {
  readonly #places: Places;
  #valuesLeft = 0;
  /** The schemas of the objects that are being made: within themselves, only what is required. */
  readonly #open = new Set<JsonObject>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** A value for the place that the schemas describe together; undefined where none was found. */
  build(schemas: readonly JsonSchema[], wish: Wish): JsonValue | undefined {
    this.#valuesLeft = MAXIMUM_VALUES;
    return this.#value(schemas, wish, 0);
  }

  /** The same for schemas of which it is known that they are in force, and further ones. */
  buildFrom(
    inForce: readonly JsonObject[],
    further: readonly JsonSchema[],
    wish: Wish,
  ): JsonValue | undefined {
    this.#valuesLeft = MAXIMUM_VALUES;
    const others = this.#places.inForce(further, wish.alternative);
    return others && this.#valueInForce([...inForce, ...others], wish, 0);
  }

  #value(schemas: readonly JsonSchema[], wish: Wish, depth: number): JsonValue | undefined {
    this.#valuesLeft -= 1;
    if (depth > MAXIMUM_DEPTH || this.#valuesLeft < 0) return undefined;
    const inForce = this.#places.inForce(schemas, wish.alternative);
    return inForce && this.#valueInForce(inForce, wish, depth);
  }

  #valueInForce(inForce: readonly JsonObject[], wish: Wish, depth: number): JsonValue | undefined {
    const fixed = fixedValues(inForce);
    if (fixed !== undefined) return fixed[wish.seed % fixed.length];
    const written = wish.bound === "typical" ? writtenValue(inForce, wish) : undefined;
    if (written !== undefined) return written;
    return this.#ofType(chooseType(inForce, wish), inForce, wish, depth);
  }

  #ofType(
    type: TypeName | undefined,
    schemas: readonly JsonObject[],
    wish: Wish,
    depth: number,
  ): JsonValue | undefined {
    switch (type) {
      case undefined:
        return undefined;
      case "null":
        return null;
      case "boolean":
        return wish.seed % 2 === 0;
      case "integer":
      case "number":
        return makeNumber(schemas, type === "integer", wish);
      case "string":
        return makeString(schemas, wish);
      case "array":
        return this.#array(schemas, wish, depth);
      case "object":
        return this.#object(schemas, wish, depth);
    }
  }

  #array(schemas: readonly JsonObject[], wish: Wish, depth: number): JsonValue[] | undefined {
    const length = arrayLength(
      schemas,
      depth < DEPTH_OF_OPTIONAL ? wish : { ...wish, bound: "low" },
    );
    if (length > MAXIMUM_ITEMS) return undefined;
    const mustDiffer = schemas.some((schema) => schema["uniqueItems"] === true);
    const contained = containedCounts(schemas);
    const items: JsonValue[] = [];
    for (let index = 0; index < length; index += 1) {
      const required = contained.filter(({ count }) => index < count).map(({ schema }) => schema);
      const itemWish = { ...wish, seed: mustDiffer ? wish.seed + index : wish.seed };
      const item = this.#value([...itemSchemas(schemas, index), ...required], itemWish, depth + 1);
      if (item === undefined) return index < minimumLength(schemas) ? undefined : items;
      items.push(item);
    }
    return mustDiffer ? withoutRepeats(items) : items;
  }

  #object(schemas: readonly JsonObject[], wish: Wish, depth: number): JsonObject | undefined {
    const isFull =
      wish.properties === "all" &&
      depth < DEPTH_OF_OPTIONAL &&
      this.#valuesLeft > MAXIMUM_VALUES / 2 &&
      !schemas.some((schema) => this.#open.has(schema));
    const entered = schemas.filter((schema) => !this.#open.has(schema));
    for (const schema of entered) this.#open.add(schema);
    const optional = isFull ? this.#optionalNames(schemas, wish) : [];
    const members = this.#members(schemas, optional, wish, depth);
    for (const schema of entered) this.#open.delete(schema);
    return members && Object.fromEntries(members);
  }

  #members(
    schemas: readonly JsonObject[],
    optional: readonly string[],
    wish: Wish,
    depth: number,
  ): Map<string, JsonValue> | undefined {
    const required = requiredNames(schemas);
    const most = Math.min(MAXIMUM_ITEMS, ...numbersAt(schemas, "maxProperties"));
    const least = Math.max(0, ...numbersAt(schemas, "minProperties"));
    if (required.size > most || least > most) return undefined;
    const names = new Set([...required, ...optional]);
    const members = new Map<string, JsonValue>();
    for (const name of [...names, ...this.#furtherNames(schemas, names)]) {
      const isNeeded = required.has(name) || members.size < least;
      if (!isNeeded && (!names.has(name) || members.size >= most)) continue;
      const value = this.#value(propertySchemas(schemas, name), { ...wish, name }, depth + 1);
      if (value !== undefined) members.set(name, value);
      else if (required.has(name)) return undefined;
    }
    return members;
  }

  /** The properties that are described, and one for each pattern and for what may be added. */
  #optionalNames(schemas: readonly JsonObject[], wish: Wish): string[] {
    const names = describedNames(schemas);
    for (const schema of schemas) {
      for (const [pattern] of entriesOf(schema["patternProperties"])) {
        const sample = patternSampler(pattern)?.({ repeat: 1, pick: wish.seed });
        if (sample !== undefined) names.push(sample);
      }
      const { additionalProperties, unevaluatedProperties } = schema;
      if (typeof (additionalProperties ?? unevaluatedProperties) !== "object") continue;
      const [name] = this.#newNames(schemas, new Set(names));
      if (name !== undefined) names.push(name);
    }
    return names;
  }

  /** Names for `minProperties`, described ones first. */
  *#furtherNames(schemas: readonly JsonObject[], taken: ReadonlySet<string>): Generator<string> {
    const least = Math.max(0, ...numbersAt(schemas, "minProperties"));
    if (taken.size >= least) return;
    const described = new Set([...taken, ...describedNames(schemas)]);
    yield* described;
    yield* this.#newNames(schemas, described);
  }

  /** Names that are not taken, and that `propertyNames` allows. */
  *#newNames(schemas: readonly JsonObject[], taken: ReadonlySet<string>): Generator<string> {
    const rules = schemas.flatMap(({ propertyNames: rule }) => (isJsonSchema(rule) ? [rule] : []));
    const inForce = this.#places.inForce(rules, 0) ?? [];
    for (let seed = 0; seed <= MAXIMUM_ITEMS; seed += 1) {
      const wish: Wish = { ...TYPICAL, bound: "low", seed, name: `extra${seed + 1}` };
      const fixed = fixedValues(inForce)?.[seed];
      const name = rules.length === 0 ? wish.name : (fixed ?? makeString(inForce, wish));
      if (typeof name === "string" && !taken.has(name)) yield name;
    }
  }
}

/** What `const` and `enum` leave to choose from; undefined where nothing is fixed. */
function fixedValues(schemas: readonly JsonObject[]): JsonValue[] | undefined {
  const lists = schemas.flatMap((schema) => {
    const fixed: JsonValue[][] = [];
    if (Array.isArray(schema["enum"])) fixed.push(schema["enum"]);
    if (schema["const"] !== undefined) fixed.push([schema["const"]]);
    return fixed;
  });
  const [first, ...others] = lists;
  return first?.filter((value) => others.every((list) => list.some((it) => isEqual(it, value))));
}

/** A value that the author wrote down for this place. */
function writtenValue(schemas: readonly JsonObject[], wish: Wish): JsonValue | undefined {
  const written = schemas.flatMap(({ examples, default: standard }) => [
    ...(Array.isArray(examples) ? examples : []),
    ...(standard === undefined ? [] : [standard]),
  ]);
  return written[wish.seed];
}

/** The keywords that tell of what type a value should be where `type` does not. */
const TELLING_KEYWORDS: readonly (readonly [TypeName, readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties", "patternProperties"]],
  ["object", ["minProperties", "maxProperties", "propertyNames", "dependentRequired"]],
  ["object", ["dependentSchemas", "dependencies", "unevaluatedProperties"]],
  ["array", ["items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"]],
  ["array", ["unevaluatedItems"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

function chooseType(schemas: readonly JsonObject[], wish: Wish): TypeName | undefined {
  const allowed = TYPE_NAMES.filter((type) => schemas.every((schema) => allowsType(schema, type)));
  // "number" stands for "integer" too, and `null` is nobody's first choice.
  const types = allowed.filter((type) => type !== "integer" || !allowed.includes("number"));
  const choice: TypeName[] = types.filter((type) => type !== "null");
  if (types.includes("null")) choice.push("null");
  if (schemas.some((schema) => schema["type"] !== undefined)) {
    return choice[wish.alternative % choice.length];
  }
  return toldType(schemas);
}

function toldType(schemas: readonly JsonObject[]): TypeName {
  for (const [type, keywords] of TELLING_KEYWORDS) {
    if (schemas.some((schema) => keywords.some((name) => Object.hasOwn(schema, name)))) return type;
  }
  return "string";
}

function allowsType(schema: JsonObject, type: TypeName): boolean {
  const stated = schema["type"];
  if (stated === undefined) return true;
  const types = Array.isArray(stated) ? stated : [stated];
  return types.includes(type) || (type === "integer" && types.includes("number"));
}

const minimumLength = (schemas: readonly JsonObject[]): number =>
  Math.max(
    0,
    ...numbersAt(schemas, "minItems"),
    ...containedCounts(schemas).map(({ count }) => count),
  );

function arrayLength(schemas: readonly JsonObject[], wish: Wish): number {
  const least = minimumLength(schemas);
  const most = Math.min(Infinity, ...numbersAt(schemas, "maxItems"));
  if (wish.bound === "low" && wish.properties === "required") return least;
  const prefix = prefixLength(schemas);
  const usual = itemSchemas(schemas, prefix).includes(false) ? prefix : Math.max(prefix, 1);
  const wanted = wish.bound === "high" && most <= LONG_ARRAY ? most : usual;
  return Math.max(least, Math.min(wanted, most));
}

/** What `contains` asks for: so many of the first items are to be of that schema. */
function containedCounts(schemas: readonly JsonObject[]): { schema: JsonSchema; count: number }[] {
  return schemas.flatMap(({ contains, minContains }) =>
    isJsonSchema(contains)
      ? [{ schema: contains, count: typeof minContains === "number" ? minContains : 1 }]
      : [],
  );
}

function withoutRepeats(items: readonly JsonValue[]): JsonValue[] {
  return [...new Map(items.map((item) => [canonicalText(item), item])).values()];
}

function describedNames(schemas: readonly JsonObject[]): string[] {
  return schemas.flatMap((schema) =>
    entriesOf(schema["properties"]).flatMap(([name, property]) =>
      property === false ? [] : [name],
    ),
  );
}

/** The names that must be there, with those that they bring along. */
function requiredNames(schemas: readonly JsonObject[]): Set<string> {
  const names = new Set(schemas.flatMap((schema) => namesIn(schema["required"])));
  // The set grows while it is read: a name can bring along others.
  for (const name of names) {
    for (const dependent of dependentNames(schemas, name)) names.add(dependent);
  }
  return names;
}

function dependentNames(schemas: readonly JsonObject[], name: string): string[] {
  return schemas.flatMap(({ dependentRequired, dependencies }) =>
    [dependentRequired, dependencies].flatMap((map) =>
      isJsonObject(map) ? namesIn(ownValue(map, name)) : [],
    ),
  );
}
