import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import { containedCounts } from "../keywords/index.js";
import { itemSchemasOf } from "../keywords/item-schemas.js";
import { nameSchemas } from "../keywords/index.js";
import { requiresUniqueItems } from "../keywords/index.js";
import { canonicalText } from "../values.js";
import { schemaEntries } from "../keyword-values.js";
import { arrayLength, minimumLength } from "./array-length.js";
import { chooseType, type TypeName } from "./choose-type.js";
import { makeNumber } from "./number-values.js";
import { describedNames, requiredNames } from "./object-names.js";
import { patternSampler } from "./pattern-sample.js";
import { propertySchemas, type Places } from "./places.js";
import { MAXIMUM_ITEMS } from "./sizes.js";
import { fixedValues, writtenValue } from "./stated-values.js";
import { makeString } from "./string-values.js";
import { greatestAt, smallestAt, TYPICAL_REQUEST, type ValueRequest } from "./value-request.js";

/** From here on only what is required is made. */
const DEPTH_OF_OPTIONAL = 12;
const MAXIMUM_DEPTH = 70;
/** How many values one instance may be made of; beyond half of them only what is required. */
const MAXIMUM_VALUES = 2_000;

/** Makes values from schemas. They are likely to be valid; whoever needs it proved asks the interpreter. */
export class InstanceBuilder {
  readonly #places: Places;
  #valuesLeft = 0;
  /** The schemas of the objects that are being made: within themselves, only what is required. */
  readonly #open = new Set<JsonObject>();

  constructor(places: Places) {
    this.#places = places;
  }

  /** A value for the place that the schemas describe together; undefined where none was found. */
  build(schemas: readonly JsonSchema[], request: ValueRequest): JsonValue | undefined {
    this.#valuesLeft = MAXIMUM_VALUES;
    return this.#value(schemas, request, 0);
  }

  /** The same for schemas of which it is known that they are in force, and further ones. */
  buildFrom(
    inForce: readonly JsonObject[],
    further: readonly JsonSchema[],
    request: ValueRequest,
  ): JsonValue | undefined {
    this.#valuesLeft = MAXIMUM_VALUES;
    const others = this.#places.inForce(further, request.alternative);
    return others && this.#valueInForce([...inForce, ...others], request, 0);
  }

  #value(
    schemas: readonly JsonSchema[],
    request: ValueRequest,
    depth: number,
  ): JsonValue | undefined {
    this.#valuesLeft -= 1;
    if (depth > MAXIMUM_DEPTH || this.#valuesLeft < 0) return undefined;
    const inForce = this.#places.inForce(schemas, request.alternative);
    return inForce && this.#valueInForce(inForce, request, depth);
  }

  #valueInForce(
    inForce: readonly JsonObject[],
    request: ValueRequest,
    depth: number,
  ): JsonValue | undefined {
    const fixed = fixedValues(inForce);
    if (fixed !== undefined) return fixed[request.seed % fixed.length];
    const written = request.bound === "typical" ? writtenValue(inForce, request) : undefined;
    if (written !== undefined) return written;
    return this.#ofType(chooseType(inForce, request), inForce, request, depth);
  }

  #ofType(
    type: TypeName | undefined,
    schemas: readonly JsonObject[],
    request: ValueRequest,
    depth: number,
  ): JsonValue | undefined {
    switch (type) {
      case undefined:
        return undefined;
      case "null":
        return null;
      case "boolean":
        return request.seed % 2 === 0;
      case "integer":
      case "number":
        return makeNumber(schemas, type === "integer", request);
      case "string":
        return makeString(schemas, request);
      case "array":
        return this.#array(schemas, request, depth);
      case "object":
        return this.#object(schemas, request, depth);
    }
  }

  #array(
    schemas: readonly JsonObject[],
    request: ValueRequest,
    depth: number,
  ): JsonValue[] | undefined {
    const length = arrayLength(
      schemas,
      depth < DEPTH_OF_OPTIONAL ? request : { ...request, bound: "low" },
    );
    if (length > MAXIMUM_ITEMS) return undefined;
    const mustDiffer = schemas.some(requiresUniqueItems);
    const contained = containedCounts(schemas);
    const items: JsonValue[] = [];
    for (let index = 0; index < length; index += 1) {
      const required = contained.filter(({ count }) => index < count).map(({ schema }) => schema);
      const itemRequest = { ...request, seed: mustDiffer ? request.seed + index : request.seed };
      const item = this.#value(
        [...itemSchemasOf(schemas, index), ...required],
        itemRequest,
        depth + 1,
      );
      if (item === undefined) return index < minimumLength(schemas) ? undefined : items;
      items.push(item);
    }
    return mustDiffer ? withoutRepeats(items) : items;
  }

  #object(
    schemas: readonly JsonObject[],
    request: ValueRequest,
    depth: number,
  ): JsonObject | undefined {
    const isFull =
      request.properties === "all" &&
      depth < DEPTH_OF_OPTIONAL &&
      this.#valuesLeft > MAXIMUM_VALUES / 2 &&
      !schemas.some((schema) => this.#open.has(schema));
    const entered = schemas.filter((schema) => !this.#open.has(schema));
    for (const schema of entered) this.#open.add(schema);
    const optional = isFull ? this.#optionalNames(schemas, request) : [];
    const members = this.#members(schemas, optional, request, depth);
    for (const schema of entered) this.#open.delete(schema);
    return members && Object.fromEntries(members);
  }

  #members(
    schemas: readonly JsonObject[],
    optional: readonly string[],
    request: ValueRequest,
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
      const value = this.#value(propertySchemas(schemas, name), { ...request, name }, depth + 1);
      if (value !== undefined) members.set(name, value);
      else if (required.has(name)) return undefined;
    }
    return members;
  }

  /** The properties that are described, and one for each pattern and for what may be added. */
  #optionalNames(schemas: readonly JsonObject[], request: ValueRequest): string[] {
    const names = describedNames(schemas);
    for (const schema of schemas) {
      for (const [pattern] of schemaEntries(schema["patternProperties"])) {
        const sample = patternSampler(pattern)?.({ repeat: 1, pick: request.seed });
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
    const rules = schemas.flatMap(nameSchemas);
    const inForce = this.#places.inForce(rules, 0) ?? [];
    for (let seed = 0; seed <= MAXIMUM_ITEMS; seed += 1) {
      const request: ValueRequest = {
        ...TYPICAL_REQUEST,
        bound: "low",
        seed,
        name: `extra${seed + 1}`,
      };
      const fixed = fixedValues(inForce)?.[seed];
      const name = rules.length === 0 ? request.name : (fixed ?? makeString(inForce, request));
      if (typeof name === "string" && !taken.has(name)) yield name;
    }
  }
}

function withoutRepeats(items: readonly JsonValue[]): JsonValue[] {
  return [...new Map(items.map((item) => [canonicalText(item), item])).values()];
}
