import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { expressionOf } from "../expressions.js";
import { makeInstances, makeValid } from "../instances/make-instances.js";
import { patternSampler } from "../instances/pattern-sample.js";
import { VALUES_OF_ALL_TYPES } from "../instances/unlike-values.js";
import { namesIn, schemaEntries } from "../keyword-values.js";
import { walkSchema } from "../subschemas.js";
import { canonicalText } from "../values.js";
import type { JoinedSchemas } from "./joined-schemas.js";

/** The longest string and list that are made at a limit. */
const MAX_SIZE = 40;
/** The most values, and names of properties, that are put into other values. */
const MAX_PARTS = 60;
const MAX_NAMES = 16;
/** The most places of a value that are changed. */
const MAX_PLACES = 24;
/** The choices for samples of a pattern. */
const SAMPLES = [
  [0, 0],
  [1, 1],
  [3, 3],
] as const;

/** Values that the narrow schema may accept and the wide one refuse; which of them it does is left to the caller. */
export function* madeValues({ both, narrow, wide }: JoinedSchemas): Generator<JsonValue> {
  yield* makeValid(narrow);
  yield* makeValid(wide);
  yield* VALUES_OF_ALL_TYPES;
  for (const schema of [both, wide]) {
    const { valid, breaking } = makeInstances(schema);
    yield* valid;
    yield* breaking.map(({ value }) => value);
  }
}

/** What the schemas speak of: values, and names of properties. */
export interface Parts {
  readonly values: readonly JsonValue[];
  readonly names: readonly string[];
}

/** Collects the values and names that decide in two schemas: those that they list, and those at and beside limits. */
export function partsOf(root: JsonSchema): Parts {
  const values = new Map<string, JsonValue>();
  const names = new Set<string>();
  for (const [, schema] of walkSchema(root)) {
    if (!isJsonObject(schema)) continue;
    for (const value of valuesIn(schema)) values.set(canonicalText(value), value);
    for (const name of propertyNames(schema)) names.add(name);
  }
  for (const value of VALUES_OF_ALL_TYPES) values.set(canonicalText(value), value);
  return {
    values: [...values.values()].slice(0, MAX_PARTS),
    names: [...[...names].slice(0, MAX_NAMES), "extra"],
  };
}

function* valuesIn(schema: JsonObject): Generator<JsonValue> {
  if (schema["const"] !== undefined) yield schema["const"];
  if (schema["default"] !== undefined) yield schema["default"];
  for (const name of ["enum", "examples"]) {
    const list = schema[name];
    if (Array.isArray(list)) yield* list.slice(0, MAX_PARTS);
  }
  yield* sampleTexts(schema);
  for (const [keyword, rule] of Object.entries(schema)) {
    if (typeof rule === "number") yield* aroundLimit(keyword, rule);
  }
}

/** True if texts are made that fit every pattern of a schema. */
export function areSampled(root: JsonSchema): boolean {
  return walkSchema(root).every(([, schema]) => {
    if (!isJsonObject(schema)) return true;
    const patterns = schemaEntries(schema["patternProperties"]).map(([pattern]) => pattern);
    if (typeof schema["pattern"] === "string") patterns.push(schema["pattern"]);
    return patterns.every((pattern) => {
      const sample = patternSampler(pattern);
      return (
        sample !== undefined &&
        SAMPLES.some(([repeat, pick]) => expressionOf(pattern).test(sample({ repeat, pick })))
      );
    });
  });
}

/** Texts that fit a pattern or lack what it wants. */
function* sampleTexts({ pattern, format }: JsonObject): Generator<string> {
  if (typeof pattern === "string") {
    const sample = patternSampler(pattern);
    for (const [repeat, pick] of SAMPLES) {
      const text = sample?.({ repeat, pick });
      if (text !== undefined) yield text;
    }
  }
  if (format !== undefined || pattern !== undefined) yield* ["§", "A b", "0", "a-b"];
}

function* aroundLimit(keyword: string, limit: number): Generator<JsonValue> {
  if (/^(exclusive|minimum$|maximum$|multipleOf$)/.test(keyword)) {
    yield* [limit, limit - 1, limit + 1, limit + 0.5, limit - 0.5, limit * 2, limit * 1.5];
  }
  for (const size of [limit - 1, limit, limit + 1]) {
    if (!Number.isInteger(size) || size < 0 || size > MAX_SIZE) continue;
    if (keyword.endsWith("Length")) yield "x".repeat(size);
    if (keyword.endsWith("Items")) yield Array.from({ length: size }, (_, index) => index);
  }
}

function* propertyNames(schema: JsonObject): Generator<string> {
  for (const [name] of schemaEntries(schema["properties"])) yield name;
  yield* namesIn(schema["required"]);
  for (const keyword of ["dependentRequired", "dependentSchemas", "dependencies"]) {
    const entries = schema[keyword];
    if (!isJsonObject(entries)) continue;
    for (const [name, value] of Object.entries(entries)) yield* [name, ...namesIn(value)];
  }
  for (const [pattern] of schemaEntries(schema["patternProperties"])) {
    const sample = patternSampler(pattern)?.({ repeat: 1, pick: 0 });
    if (sample !== undefined) yield sample;
  }
  const names = schema["propertyNames"];
  if (!isJsonObject(names)) return;
  for (const value of partsOf(names).values) if (typeof value === "string") yield value;
}

/** Values that differ from a value in one place: a member less, a member more, or another member. */
export function* changedValues(value: JsonValue, parts: Parts): Generator<JsonValue> {
  let places = 0;
  for (const place of placesIn(value)) {
    places += 1;
    if (places > MAX_PLACES) return;
    for (const changed of changesOf(place.value, parts)) yield place.replace(changed);
  }
}

interface Place {
  readonly value: JsonValue;
  readonly replace: (value: JsonValue) => JsonValue;
}

/** The places of a value, the outermost first. */
function* placesIn(root: JsonValue): Generator<Place> {
  const waiting: Place[] = [{ value: root, replace: (value) => value }];
  for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
    yield place;
    const { value, replace } = place;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        waiting.push({ value: item, replace: (other) => replace(value.with(index, other)) });
      }
    } else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        waiting.push({
          value: member,
          replace: (other) => replace({ ...value, [name]: other }),
        });
      }
    }
  }
}

function* changesOf(value: JsonValue, { values, names }: Parts): Generator<JsonValue> {
  if (isJsonObject(value)) {
    for (const name of Object.keys(value)) {
      const { [name]: _removed, ...others } = value;
      yield others;
    }
    const absent = names.filter((name) => !Object.hasOwn(value, name));
    for (const part of values) for (const name of absent) yield { ...value, [name]: part };
  } else if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1);
    for (const part of values) yield [...value, part];
    for (const item of value.slice(0, 1)) yield [...value, item];
  }
  yield* values;
}
