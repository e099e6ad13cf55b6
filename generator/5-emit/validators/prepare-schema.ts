import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import type { KeywordDefinition } from "../../schema/keywords/definition.js";
import { dialectOf, isJsonSchema, type Dialect } from "../../schema/json-schema.js";
import { KEYWORDS } from "../../schema/keywords/index.js";
import { keywordsWithin } from "../../schema/subschemas.js";
import { CHECKED_FORMATS } from "../../schema/formats/format-checks.js";
import { resolveReference } from "../../schema/schema-reference.js";

/** A schema reduced to what decides whether a value is valid. */
export interface PreparedSchema {
  /** What AJV compiles; its references are the keys of `targets`. */
  readonly schema: JsonSchema;
  /** The schemas that references lead to, prepared too. */
  readonly targets: ReadonlyMap<string, JsonSchema>;
  readonly dialect: Dialect;
  readonly usesUnevaluated: boolean;
  /** Whether items that `contains` finds may thereby be evaluated. */
  readonly usesContained: boolean;
  readonly hasUnions: boolean;
}

/** Says that an account of what is evaluated is to be opened whatever the type of the value. */
export const ACCOUNT_MARK = "keepAccount";

/** The other keywords of each dialect. */
const ASSERTIONS: Readonly<Record<Dialect, ReadonlyMap<string, KeywordDefinition>>> = {
  "2020-12": assertionsOf("2020-12"),
  "draft-07": assertionsOf("draft-07"),
};

function assertionsOf(dialect: Dialect): ReadonlyMap<string, KeywordDefinition> {
  return new Map(
    [...KEYWORDS].filter(
      ([, { refusesNothing, dialects }]) => refusesNothing !== true && dialects.includes(dialect),
    ),
  );
}

const NO_KEYWORDS: ReadonlySet<string> = new Set();

/** Keywords of objects and arrays that add to an account in variables of the code. */
const MERGING_KEYWORDS: ReadonlySet<string> = new Set(["patternProperties", "dependentSchemas"]);
const MERGING_KEYWORDS_WITH_CONTAINS: ReadonlySet<string> = new Set([
  ...MERGING_KEYWORDS,
  "contains",
  "additionalProperties",
  "unevaluatedProperties",
]);

/**
 * Reduces a schema to its assertions, in a form that AJV reads as JSON Schema means it:
 * annotations and unknown keywords are gone (some of them mean something to AJV: `$async`,
 * `nullable`, `id`), siblings of a draft-07 `$ref` too, and references are resolved to keys.
 *
 * A schema without `$id` is a single resource, hence `$dynamicRef` leads where `$ref` would.
 * Formats that are not checked are annotations.
 */
export function prepareSchema(root: JsonSchema): PreparedSchema {
  return new Preparation(root).run();
}

class Preparation {
  readonly #root: JsonSchema;
  readonly #dialect: Dialect;
  /** The targets of references in the order in which they were met, with their keys. */
  readonly #targets = new Map<JsonSchema, string>();
  readonly #usesUnevaluated: boolean;
  readonly #usesContained: boolean;
  readonly #hasUnions: boolean;
  /** Keywords beside which an account of what is evaluated must be open. */
  readonly #accounted: ReadonlySet<string> = new Set();

  constructor(root: JsonSchema) {
    this.#root = root;
    this.#dialect = dialectOf(root);
    const keywords = typeof root === "boolean" ? NO_KEYWORDS : keywordsWithin(root);
    const uses = (name: string): boolean => this.#dialect === "2020-12" && keywords.has(name);
    this.#usesUnevaluated = uses("unevaluatedItems") || uses("unevaluatedProperties");
    this.#usesContained = uses("unevaluatedItems") && uses("contains");
    this.#hasUnions = keywords.has("anyOf") || keywords.has("oneOf");
    if (this.#usesUnevaluated) this.#accounted = MERGING_KEYWORDS;
    if (this.#usesContained) this.#accounted = MERGING_KEYWORDS_WITH_CONTAINS;
  }

  run(): PreparedSchema {
    const root = this.#schema(this.#root);
    const targets = new Map<string, JsonSchema>();
    // A target can hold references to further targets: the map grows while it is read.
    for (const [target, key] of this.#targets) {
      targets.set(key, target === this.#root ? root : this.#schema(target));
    }
    return {
      schema: root,
      targets,
      dialect: this.#dialect,
      usesUnevaluated: this.#usesUnevaluated,
      usesContained: this.#usesContained,
      hasUnions: this.#hasUnions,
    };
  }

  #schema(schema: JsonSchema): JsonSchema {
    if (typeof schema === "boolean") return schema;
    const assertions: JsonObject = {};
    const further: JsonValue[] = [];
    let keepsAccount = false;
    for (const name of Object.keys(schema)) {
      const value = schema[name] ?? null;
      const keyword = this.#assertion(schema, name, value);
      if (keyword === undefined) continue;
      const substitute = this.#substitute(name, value);
      if (substitute !== undefined) {
        further.push(...substitute);
        continue;
      }
      assertions[name] = this.#value(keyword, value);
      keepsAccount ||= this.#accounted.has(name);
    }
    if (keepsAccount) assertions[ACCOUNT_MARK] = true;
    return withFurther(assertions, further);
  }

  /** The keyword, where it asserts something. */
  #assertion(schema: JsonObject, name: string, value: JsonValue): KeywordDefinition | undefined {
    const keyword = ASSERTIONS[this.#dialect].get(name);
    if (keyword === undefined || name === "$ref") return keyword;
    if (this.#dialect === "draft-07" && Object.hasOwn(schema, "$ref")) return undefined;
    return name !== "format" || CHECKED_FORMATS.has(String(value)) ? keyword : undefined;
  }

  /** For keywords that AJV reads otherwise than the specification: schemas that say the same. */
  #substitute(name: string, value: JsonValue): JsonValue[] | undefined {
    if (name === "$dynamicRef") return [{ $ref: this.#reference(String(value)) }];
    if (name === "enum" && Array.isArray(value) && value.length === 0) return [false];
    return undefined;
  }

  #value({ name, shape }: KeywordDefinition, value: JsonValue): JsonValue {
    if (name === "$ref") return this.#reference(String(value));
    switch (shape) {
      case "schema":
      case "schema list":
      case "schema or schema list":
        return Array.isArray(value) ? value.map((item) => this.#inner(item)) : this.#inner(value);
      case "schema map":
      case "dependency map":
        return isJsonObject(value) ? mapValues(value, (item) => this.#inner(item)) : value;
      default:
        return value;
    }
  }

  /** A subschema, or what stands in its place: a list of names in draft-07's `dependencies`. */
  #inner(value: JsonValue): JsonValue {
    return isJsonSchema(value) ? this.#schema(value) : value;
  }

  #reference(reference: string): string {
    const target = this.#target(reference);
    const key = this.#targets.get(target) ?? String(this.#targets.size);
    this.#targets.set(target, key);
    return key;
  }

  /** Where a reference leads in the end: a chain of them would be as deep a recursion. */
  #target(reference: string): JsonSchema {
    const passed = new Set<JsonSchema>();
    for (let next = reference; ;) {
      const target = resolveReference(this.#root, next, () => undefined)?.schema;
      if (target === undefined) throw new Error(`the reference ${next} leads nowhere`);
      const further = this.#onlyReference(target);
      if (further === undefined || passed.has(target)) return target;
      passed.add(target);
      next = further;
    }
  }

  /** The reference that is all that a schema asserts. */
  #onlyReference(schema: JsonSchema): string | undefined {
    if (typeof schema === "boolean" || typeof schema["$ref"] !== "string") return undefined;
    const asserts = Object.entries(schema).some(
      ([name, value]) => name !== "$ref" && this.#assertion(schema, name, value) !== undefined,
    );
    return asserts ? undefined : schema["$ref"];
  }
}

function withFurther(schema: JsonObject, further: readonly JsonValue[]): JsonObject {
  if (further.length === 0) return schema;
  const all = Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
  return { ...schema, allOf: [...all, ...further] };
}

function mapValues(object: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject {
  const changed = { ...object };
  for (const key of Object.keys(object)) changed[key] = change(object[key] ?? null);
  return changed;
}
