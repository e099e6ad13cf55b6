import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import { isJsonSchema } from "../../schema/json-schema.js";
import { canonicalText } from "../../schema/pieces/values.js";
import { arrayLength, containedCounts, minimumLength } from "./array-length.js";
import { chooseType, type TypeName } from "./choose-type.js";
import { leafValue } from "./leaf-values.js";
import { makeNumber } from "./number-values.js";
import { describedNames, requiredNames } from "./object-names.js";
import { patternSampler } from "./pattern-sample.js";
import { entriesOf, itemSchemas, propertySchemas, type Places } from "./places.js";
import { plainItems, plainMembers, type PlainMember } from "./plain-members.js";
import { PlainParts } from "./plain-parts.js";
import { fixedValues, writtenValue } from "./stated-values.js";
import { makeString } from "./string-values.js";
import { greatestAt, smallestAt, TYPICAL, type Wish } from "./wish.js";

/** The most items that an array of an instance may hold, and properties an object. */
export const MAXIMUM_ITEMS = 200;
/** From here on only what is required is made. */
const DEPTH_OF_OPTIONAL = 12;
const MAXIMUM_DEPTH = 70;
/** How many values one instance may be made of; beyond half of them only what is required. */
const MAXIMUM_VALUES = 2_000;
/** A value of fewer is made without regard to that, also as a part of another. */
export const AMPLE_VALUES = MAXIMUM_VALUES / 2;

/** A value that was made for a plain schema. */
interface MadeValue {
  /** The property that it was made for. */
  readonly name: string;
  readonly value: JsonValue | undefined;
  /** How many values it is made of. */
  readonly count: number;
  readonly isProven: boolean;
}

/** What is known of a schema that stands alone. */
interface Part {
  /** The schema by itself. */
  readonly alone: readonly [JsonObject];
  /** How many levels of schemas there are within it; no number of them for one that is not plain. */
  readonly height: number;
  /** What its objects are made of, where nothing else has a part in it. */
  readonly members: readonly (PlainMember & WithPart)[] | undefined;
  /** What its arrays are made of, likewise. */
  readonly items: ({ readonly schemas: readonly JsonSchema[] } & WithPart) | undefined;
  /** By the number of the wish. */
  readonly made: (MadeValue | undefined)[];
}

/** Schemas of which one stands alone and is plain have this. */
interface WithPart {
  readonly part: Part | undefined;
}

/** Makes values from schemas. They are likely to be valid; whoever needs it proved asks a validator where `isProven` is false. */
export class InstanceBuilder {
  readonly #places: Places;
  #valuesLeft = 0;
  /** The schemas of the objects that are being made: within themselves, only what is required. */
  readonly #open = new Set<JsonObject>();
  #isProven = true;
  readonly #plainParts: PlainParts;
  readonly #parts = new Map<JsonObject, Part>();

  constructor(places: Places, plainParts = new PlainParts()) {
    this.#places = places;
    this.#plainParts = plainParts;
  }

  /** A value for the place that the schemas describe together; undefined where none was found. */
  build(schemas: readonly JsonSchema[], wish: Wish): JsonValue | undefined {
    this.#valuesLeft = MAXIMUM_VALUES;
    this.#isProven = true;
    return this.#value(schemas, wish, 0);
  }

  /**
   * A value for a plain schema as `build` would make it within another; undefined where that cannot be known alone.
   *
   * @param depth how deep in the whole it stands
   */
  buildPart(schema: JsonObject, wish: Wish, depth: number): JsonValue | undefined {
    this.#valuesLeft = MAXIMUM_VALUES;
    this.#isProven = true;
    const part = this.#partFor(schema, wish, depth);
    const value = part && this.#partValue(part, wish, wish.name, depth);
    return this.count < AMPLE_VALUES ? value : undefined;
  }

  /** How many values the last one is made of. */
  get count(): number {
    return MAXIMUM_VALUES - this.#valuesLeft;
  }

  /** Whether the last value is valid by the way in which it was made. */
  get isProven(): boolean {
    return this.#isProven;
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
    const part = schemas.length === 1 ? this.#partFor(schemas[0], wish, depth) : undefined;
    if (part === undefined) return this.#newValue(schemas, wish, depth);
    return this.#partValue(part, wish, wish.name, depth);
  }

  /** What is known of a plain schema; undefined where what comes of a schema depends on more than the wish. */
  #partFor(schema: JsonSchema | undefined, wish: Wish, depth: number): Part | undefined {
    if (typeof schema !== "object" || wish.seed !== 0) return undefined;
    const part = this.#partOf(schema);
    return depth + part.height < DEPTH_OF_OPTIONAL ? part : undefined;
  }

  #partOf(schema: JsonObject): Part {
    let part = this.#parts.get(schema);
    if (part === undefined) this.#parts.set(schema, (part = this.#newPart(schema)));
    return part;
  }

  #newPart(schema: JsonObject): Part {
    const alone = [schema] as const;
    const height = this.#plainParts.heightOf(schema);
    if (height === undefined) {
      return { alone, height: Infinity, members: undefined, items: undefined, made: [] };
    }
    const members = plainMembers(schema, MAXIMUM_ITEMS);
    const items = plainItems(schema);
    return {
      alone,
      height,
      members: members?.map(({ name, schemas, isRequired }) => {
        return { name, schemas, isRequired, part: this.#onlyPart(schemas) };
      }),
      items: items && { schemas: items, part: this.#onlyPart(items) },
      made: [],
    };
  }

  #onlyPart(schemas: readonly JsonSchema[]): Part | undefined {
    const [schema] = schemas;
    return typeof schema === "object" && schemas.length === 1 ? this.#partOf(schema) : undefined;
  }

  /** A value of a plain schema, for a property of this name. */
  #partValue(part: Part, wish: Wish, name: string, depth: number): JsonValue | undefined {
    const number = numberOf(wish);
    const known = part.made[number];
    if (known?.name === name && this.#isAmple(this.#valuesLeft - known.count)) {
      this.#valuesLeft -= known.count;
      this.#isProven &&= known.isProven;
      return known.value;
    }
    const before = this.#valuesLeft;
    const isRestProven = this.#isProven;
    this.#isProven = true;
    const value = this.#newPartValue(part, wish, name, depth);
    const count = before - this.#valuesLeft;
    const isProven = this.#isProven;
    if (this.#isAmple(this.#valuesLeft)) part.made[number] = { name, value, count, isProven };
    this.#isProven &&= isRestProven;
    return value;
  }

  #newPartValue(part: Part, unnamed: Wish, name: string, depth: number): JsonValue | undefined {
    const { alone, members, items } = part;
    if (members === undefined && items === undefined && this.#isAmple(this.#valuesLeft - 1)) {
      const value = leafValue(alone[0], unnamed.bound, name);
      if (value !== undefined) {
        this.#valuesLeft -= 1;
        return value;
      }
    }
    const wish = unnamed.name === name ? unnamed : { ...unnamed, name };
    if (!this.#isAmple(this.#valuesLeft - 1)) return this.#newValue(alone, wish, depth);
    this.#valuesLeft -= 1;
    if (members === undefined && items === undefined) return this.#valueInForce(alone, wish, depth);
    const written = wish.bound === "typical" ? writtenValue(alone, wish) : undefined;
    if (written !== undefined) {
      this.#isProven = false;
      return written;
    }
    return members === undefined
      ? this.#plainArray(part, wish, depth)
      : this.#plainObject(members, wish, depth);
  }

  /** What `#object` makes for a plain schema. */
  #plainObject(
    members: readonly (PlainMember & WithPart)[],
    wish: Wish,
    depth: number,
  ): JsonObject | undefined {
    const object: JsonObject = {};
    for (const { name, schemas, isRequired, part } of members) {
      if (!isRequired && wish.properties === "required") continue;
      const value =
        part === undefined
          ? this.#value(schemas, { ...wish, name }, depth + 1)
          : this.#partValue(part, wish, name, depth + 1);
      if (value !== undefined) object[name] = value;
      else if (isRequired) return undefined;
    }
    return object;
  }

  /** What `#array` makes for a plain schema. */
  #plainArray({ alone, items }: Part, wish: Wish, depth: number): JsonValue[] | undefined {
    const length = arrayLength(alone, wish);
    if (length > MAXIMUM_ITEMS || items === undefined) return undefined;
    this.#isProven = length <= Number(alone[0]["maxItems"] ?? Infinity);
    const { schemas, part } = items;
    const made: JsonValue[] = [];
    while (made.length < length) {
      const item =
        part === undefined
          ? this.#value(schemas, wish, depth + 1)
          : this.#partValue(part, wish, wish.name, depth + 1);
      if (item === undefined) return made.length < minimumLength(alone) ? undefined : made;
      made.push(item);
    }
    return made;
  }

  /** Whether so many values left do not keep anything from being made. */
  #isAmple(valuesLeft: number): boolean {
    return valuesLeft > MAXIMUM_VALUES - AMPLE_VALUES;
  }

  #newValue(schemas: readonly JsonSchema[], wish: Wish, depth: number): JsonValue | undefined {
    this.#valuesLeft -= 1;
    this.#isProven = false;
    if (depth > MAXIMUM_DEPTH || this.#valuesLeft < 0) return undefined;
    const inForce = this.#places.inForce(schemas, wish.alternative);
    return inForce && this.#valueInForce(inForce, wish, depth);
  }

  #valueInForce(inForce: readonly JsonObject[], wish: Wish, depth: number): JsonValue | undefined {
    this.#isProven = false;
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
      this.#isAmple(this.#valuesLeft) &&
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
    const most = smallestAt(schemas, "maxProperties", MAXIMUM_ITEMS);
    const least = greatestAt(schemas, "minProperties", 0);
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
    const least = greatestAt(schemas, "minProperties", 0);
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

const BOUNDS = { low: 0, high: 1, typical: 2 } as const;

/** A small number for each wish, but for its seed and its name. */
function numberOf({ alternative, bound, properties }: Wish): number {
  return alternative * 6 + BOUNDS[bound] * 2 + (properties === "all" ? 1 : 0);
}

function withoutRepeats(items: readonly JsonValue[]): JsonValue[] {
  return [...new Map(items.map((item) => [canonicalText(item), item])).values()];
}
