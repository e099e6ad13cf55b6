import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { resolveReference } from "../model/schema-reference.js";

/**
 * Decides by the text of JSON Schema 2020-12 whether a value is valid: a plain reading without any
 * regard for speed, of the keywords that need no format. What compiled validators are held against.
 */
export function isValid(value: JsonValue, root: JsonSchema): boolean {
  return new Reading(root).evaluate(value, root) !== undefined;
}

/** The properties and items of a value that a schema evaluated. */
type Evaluated = ReadonlySet<string>;

const NOTHING: Evaluated = new Set();

class Reading {
  readonly #root: JsonSchema;

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  /** What is evaluated of the value; undefined where it is not valid. */
  evaluate(value: JsonValue, schema: JsonSchema): Evaluated | undefined {
    if (typeof schema === "boolean") return schema ? NOTHING : undefined;
    if (!isPlainlyValid(value, schema)) return undefined;
    const evaluated = new Set<string>();
    for (const part of [...this.#inPlace(value, schema), ...this.#inside(value, schema)]) {
      if (part === undefined) return undefined;
      for (const name of part) evaluated.add(name);
    }
    for (const name of this.#others(value, schema, evaluated)) {
      if (name === undefined) return undefined;
      evaluated.add(name);
    }
    return evaluated;
  }

  #passes(value: JsonValue, schema: JsonValue): boolean {
    return this.evaluate(value, schema as JsonSchema) !== undefined;
  }

  /** What applies to the value itself. */
  *#inPlace(value: JsonValue, schema: JsonObject): Generator<Evaluated | undefined> {
    const at = (inner: JsonValue): Evaluated | undefined =>
      this.evaluate(value, inner as JsonSchema);
    const listed = (keyword: string): JsonValue[] => (schema[keyword] ?? []) as JsonValue[];
    for (const keyword of ["$ref", "$dynamicRef"]) {
      if (!(keyword in schema)) continue;
      const target = resolveReference(this.#root, String(schema[keyword]), () => undefined);
      if (target === undefined) throw new Error(`${String(schema[keyword])} leads nowhere`);
      yield at(target.schema);
    }
    for (const inner of listed("allOf")) yield at(inner);
    if ("anyOf" in schema) yield union(listed("anyOf").map(at), (count) => count > 0);
    if ("oneOf" in schema) yield union(listed("oneOf").map(at), (count) => count === 1);
    if ("not" in schema) yield at(schema["not"] ?? null) === undefined ? NOTHING : undefined;
    if ("if" in schema) {
      const condition = at(schema["if"] ?? null);
      if (condition !== undefined) yield condition;
      const branch = condition === undefined ? "else" : "then";
      if (branch in schema) yield at(schema[branch] ?? null);
    }
    if (!isJsonObject(value)) return;
    for (const [name, inner] of Object.entries(schema["dependentSchemas"] ?? {})) {
      if (Object.hasOwn(value, name)) yield at(inner as JsonValue);
    }
  }

  /** What applies to the properties or items of the value. */
  *#inside(value: JsonValue, schema: JsonObject): Generator<Evaluated | undefined> {
    if (Array.isArray(value)) yield* this.#items(value, schema);
    else if (isJsonObject(value)) yield* this.#properties(value, schema);
  }

  *#properties(value: JsonObject, schema: JsonObject): Generator<Evaluated | undefined> {
    const properties = (schema["properties"] ?? {}) as JsonObject;
    const patterns = Object.entries((schema["patternProperties"] ?? {}) as JsonObject);
    for (const [name, item] of Object.entries(value)) {
      if ("propertyNames" in schema && !this.#passes(name, schema["propertyNames"] ?? null)) {
        yield undefined;
      }
      const own = Object.hasOwn(properties, name) ? [properties[name] ?? null] : [];
      const matching = patterns.filter(([pattern]) => new RegExp(pattern, "u").test(name));
      const described = [...own, ...matching.map(([, inner]) => inner)];
      const additional = "additionalProperties" in schema ? [schema["additionalProperties"]] : [];
      const rules = described.length > 0 ? described : additional;
      if (rules.some((rule) => !this.#passes(item, rule ?? null))) yield undefined;
      if (rules.length > 0) yield new Set([name]);
    }
  }

  *#items(value: readonly JsonValue[], schema: JsonObject): Generator<Evaluated | undefined> {
    const prefix = (schema["prefixItems"] ?? []) as JsonValue[];
    for (const [index, item] of value.entries()) {
      const rule = index < prefix.length ? prefix[index] : schema["items"];
      if (rule === undefined) continue;
      yield this.#passes(item, rule) ? new Set([String(index)]) : undefined;
    }
    const contains = schema["contains"];
    if (contains === undefined) return;
    const found = [...value.keys()].filter((index) => this.#passes(value[index] ?? null, contains));
    const { minContains = 1, maxContains = Infinity } = schema;
    const isRight = found.length >= Number(minContains) && found.length <= Number(maxContains);
    yield isRight ? new Set(found.map(String)) : undefined;
  }

  /** What nothing else evaluated. */
  *#others(
    value: JsonValue,
    schema: JsonObject,
    evaluated: Evaluated,
  ): Generator<string | undefined> {
    if (typeof value !== "object" || value === null) return;
    const rule = schema[Array.isArray(value) ? "unevaluatedItems" : "unevaluatedProperties"];
    if (rule === undefined) return;
    for (const [name, item] of Object.entries(value) as [string, JsonValue][]) {
      if (!evaluated.has(name)) yield this.#passes(item, rule) ? name : undefined;
    }
  }
}

/** What the alternatives that hold evaluated, where as many hold as should. */
function union(
  alternatives: readonly (Evaluated | undefined)[],
  isEnough: (count: number) => boolean,
): Evaluated | undefined {
  const holding = alternatives.filter((evaluated) => evaluated !== undefined);
  return isEnough(holding.length) ? new Set(holding.flatMap((names) => [...names])) : undefined;
}

/** One text for equal values. */
function textOf(value: JsonValue): string {
  return JSON.stringify(value, (_key, inner: JsonValue) =>
    isJsonObject(inner)
      ? { members: Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)) }
      : inner,
  );
}

const TYPES: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === "boolean",
  object: isJsonObject,
  array: Array.isArray,
  number: (value) => typeof value === "number",
  integer: Number.isInteger,
  string: (value) => typeof value === "string",
};

/** The keywords that look at the value alone. */
function isPlainlyValid(value: JsonValue, schema: JsonObject): boolean {
  return Object.entries(schema).every(([keyword, rule]) => {
    if (keyword === "type") return [rule].flat().some((type) => TYPES[String(type)]?.(value));
    if (keyword === "const") return textOf(value) === textOf(rule);
    if (keyword === "enum")
      return (rule as JsonValue[]).some((one) => textOf(one) === textOf(value));
    if (typeof value === "number") {
      return typeof rule !== "number" || isNumberValid(value, keyword, rule);
    }
    if (typeof value === "string") return isTextValid(value, keyword, rule);
    if (Array.isArray(value)) return isListValid(value, keyword, rule);
    return !isJsonObject(value) || isObjectValid(value, keyword, rule);
  });
}

function isNumberValid(value: number, keyword: string, bound: number): boolean {
  switch (keyword) {
    case "minimum":
      return value >= bound;
    case "maximum":
      return value <= bound;
    case "exclusiveMinimum":
      return value > bound;
    case "exclusiveMaximum":
      return value < bound;
    case "multipleOf":
      return Number.isInteger(value / bound);
    default:
      return true;
  }
}

function isTextValid(value: string, keyword: string, rule: JsonValue): boolean {
  const length = [...value].length;
  if (keyword === "minLength") return length >= Number(rule);
  if (keyword === "maxLength") return length <= Number(rule);
  return keyword !== "pattern" || new RegExp(String(rule), "u").test(value);
}

function isListValid(value: readonly JsonValue[], keyword: string, rule: JsonValue): boolean {
  if (keyword === "minItems") return value.length >= Number(rule);
  if (keyword === "maxItems") return value.length <= Number(rule);
  if (keyword !== "uniqueItems" || rule !== true) return true;
  return new Set(value.map(textOf)).size === value.length;
}

function isObjectValid(value: JsonObject, keyword: string, rule: JsonValue): boolean {
  const hasAll = (names: JsonValue): boolean =>
    (names as string[]).every((name) => Object.hasOwn(value, name));
  if (keyword === "required") return hasAll(rule);
  if (keyword === "minProperties") return Object.keys(value).length >= Number(rule);
  if (keyword === "maxProperties") return Object.keys(value).length <= Number(rule);
  if (keyword !== "dependentRequired") return true;
  return Object.entries(rule as JsonObject).every(
    ([name, names]) => !Object.hasOwn(value, name) || hasAll(names),
  );
}
