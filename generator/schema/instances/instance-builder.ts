import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import { containedCounts } from "../keywords/index.js";
import { itemSchemasOf } from "../keywords/item-schemas.js";
import { nameSchemas } from "../keywords/index.js";
import { requiresUniqueItems } from "../keywords/index.js";
import { canonicalText } from "../values.js";
import { schemaEntries } from "../keyword-values.js";
import { arrayLength, minimumLength } from "./array-length.js";
import { declaredNames, requiredNames } from "./object-names.js";
import { patternSampler } from "./pattern-sample.js";
import { propertySchemas, type SchemaResolver } from "./schema-resolver.js";
import type { IsSeparate } from "./separate-definitions.js";
import { simpleValue } from "./simple-values.js";
import { MAXIMUM_ITEMS } from "./sizes.js";
import { fixedValues } from "./stated-values.js";
import { makeString } from "./string-values.js";
import { greatestAt, smallestAt, TYPICAL_REQUEST, type ValueRequest } from "./value-request.js";

/** From this depth on, objects get only required properties and arrays their minimum of items. */
const DEPTH_OF_OPTIONAL = 12;
const MAXIMUM_DEPTH = 70;
/** The most values within one instance; after half of them, objects get only required properties. */
const MAXIMUM_VALUES = 2_000;

const smallRequest = (request: ValueRequest): ValueRequest => ({
  ...request,
  properties: "required",
  bound: "typical",
});

/** Makes values that are likely, but not certain, to be valid: callers check them with the interpreter. */
export class InstanceBuilder {
  readonly #resolver: SchemaResolver;
  readonly #isSeparate: IsSeparate;
  #valuesLeft = 0;
  /** Schemas of the objects under construction; where one recurs, only required properties are made. */
  readonly #unfinishedSchemas = new Set<JsonObject>();

  /** @param isSeparate true for definitions that have values of their own, so that small ones do within others */
  constructor(resolver: SchemaResolver, isSeparate: IsSeparate = () => false) {
    this.#resolver = resolver;
    this.#isSeparate = isSeparate;
  }

  /** A value for which all schemas are likely to hold; undefined if none was found. */
  build(schemas: readonly JsonSchema[], request: ValueRequest): JsonValue | undefined {
    this.#valuesLeft = MAXIMUM_VALUES;
    return this.#value(schemas, request, 0);
  }

  /** Like `build`, for `applicableSchemas`, whose references are already resolved, and for `addedSchemas`. */
  buildFrom(
    applicableSchemas: readonly JsonObject[],
    addedSchemas: readonly JsonSchema[],
    request: ValueRequest,
  ): JsonValue | undefined {
    this.#valuesLeft = MAXIMUM_VALUES;
    const resolved = this.#resolver.applicableSchemas(addedSchemas, request.alternative);
    return resolved && this.#valueOfResolved([...applicableSchemas, ...resolved], request, 0);
  }

  #value(
    schemas: readonly JsonSchema[],
    request: ValueRequest,
    depth: number,
  ): JsonValue | undefined {
    this.#valuesLeft -= 1;
    if (depth > MAXIMUM_DEPTH || this.#valuesLeft < 0) return undefined;
    const applicable = this.#resolver.applicableSchemas(schemas, request.alternative);
    if (applicable === undefined) return undefined;
    const isSmall = depth > 0 && applicable.some(this.#isSeparate);
    return this.#valueOfResolved(applicable, isSmall ? smallRequest(request) : request, depth);
  }

  #valueOfResolved(
    applicable: readonly JsonObject[],
    request: ValueRequest,
    depth: number,
  ): JsonValue | undefined {
    const made = simpleValue(applicable, request);
    if (typeof made !== "string") return made.value;
    return made === "array"
      ? this.#array(applicable, request, depth)
      : this.#object(applicable, request, depth);
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
      const containsSchemas = contained
        .filter(({ count }) => index < count)
        .map(({ schema }) => schema);
      const itemRequest = { ...request, seed: mustDiffer ? request.seed + index : request.seed };
      const item = this.#value(
        [...itemSchemasOf(schemas, index), ...containsSchemas],
        itemRequest,
        depth + 1,
      );
      if (item === undefined) return index < minimumLength(schemas) ? undefined : items;
      items.push(item);
    }
    return mustDiffer ? distinctItems(items) : items;
  }

  #object(
    schemas: readonly JsonObject[],
    request: ValueRequest,
    depth: number,
  ): JsonObject | undefined {
    const withOptional =
      request.properties === "all" &&
      depth < DEPTH_OF_OPTIONAL &&
      this.#valuesLeft > MAXIMUM_VALUES / 2 &&
      !schemas.some((schema) => this.#unfinishedSchemas.has(schema));
    const newSchemas = schemas.filter((schema) => !this.#unfinishedSchemas.has(schema));
    for (const schema of newSchemas) this.#unfinishedSchemas.add(schema);
    const optionalNames = withOptional ? this.#optionalNames(schemas, request) : [];
    const members = this.#members(schemas, optionalNames, request, depth);
    for (const schema of newSchemas) this.#unfinishedSchemas.delete(schema);
    return members && Object.fromEntries(members);
  }

  #members(
    schemas: readonly JsonObject[],
    optionalNames: readonly string[],
    request: ValueRequest,
    depth: number,
  ): Map<string, JsonValue> | undefined {
    const required = requiredNames(schemas);
    const most = smallestAt(schemas, "maxProperties", MAXIMUM_ITEMS);
    const least = greatestAt(schemas, "minProperties", 0);
    if (required.size > most || least > most) return undefined;
    const names = new Set([...required, ...optionalNames]);
    const members = new Map<string, JsonValue>();
    const tried = names.size < least ? [...names, ...this.#furtherNames(schemas, names)] : names;
    for (const name of tried) {
      const isNeeded = required.has(name) || members.size < least;
      if (!isNeeded && (!names.has(name) || members.size >= most)) continue;
      const value = this.#value(propertySchemas(schemas, name), { ...request, name }, depth + 1);
      if (value !== undefined) members.set(name, value);
      else if (required.has(name)) return undefined;
    }
    return members;
  }

  /** All declared property names, and one more name for each pattern and each schema of additional properties. */
  #optionalNames(schemas: readonly JsonObject[], request: ValueRequest): string[] {
    const names = declaredNames(schemas);
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

  /** Further names, declared ones first. */
  *#furtherNames(schemas: readonly JsonObject[], taken: ReadonlySet<string>): Generator<string> {
    const declared = new Set([...taken, ...declaredNames(schemas)]);
    yield* declared;
    yield* this.#newNames(schemas, declared);
  }

  /** Names that are not in `taken` and likely fulfil `propertyNames`. */
  *#newNames(schemas: readonly JsonObject[], taken: ReadonlySet<string>): Generator<string> {
    const rules = schemas.flatMap(nameSchemas);
    const applicable = this.#resolver.applicableSchemas(rules, 0) ?? [];
    for (let seed = 0; seed <= MAXIMUM_ITEMS; seed += 1) {
      const request: ValueRequest = {
        ...TYPICAL_REQUEST,
        bound: "low",
        seed,
        name: `extra${seed + 1}`,
      };
      const allowedName = fixedValues(applicable)?.[seed];
      const name =
        rules.length === 0 ? request.name : (allowedName ?? makeString(applicable, request));
      if (typeof name === "string" && !taken.has(name)) yield name;
    }
  }
}

function distinctItems(items: readonly JsonValue[]): JsonValue[] {
  return [...new Map(items.map((item) => [canonicalText(item), item])).values()];
}
