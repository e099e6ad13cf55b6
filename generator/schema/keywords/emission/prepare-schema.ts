import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../../model/json.js";
import type { KeywordDefinition } from "../definition.js";
import { dialectOf, isJsonSchema, type Dialect } from "../../json-schema.js";
import { KEYWORDS } from "../index.js";
import { keywordsWithin } from "../../subschemas.js";
import { isSlowPattern } from "./checks.js";
import { RECORD_MARK } from "./evaluation-record.js";
import { NUMBER_FORMAT, OF_TYPE } from "./report.js";
import { CHECKED_FORMATS, FORMAT_CHECKS } from "../../formats/format-checks.js";
import { resolveReference, writeReference } from "../../schema-reference.js";

/** A schema reduced to the keywords that decide whether a value is valid. */
export interface PreparedSchema {
  /** The schema that AJV compiles. The values of its `$ref` are keys of `targets`. */
  readonly schema: JsonSchema;
  /** The schemas that references lead to, reduced in the same way. */
  readonly targets: ReadonlyMap<string, JsonSchema>;
  readonly dialect: Dialect;
  /** True if the schema has `unevaluatedProperties` or `unevaluatedItems`. */
  readonly usesUnevaluated: boolean;
  /** True if the schema has both `unevaluatedItems` and `contains`, so that items found must be recorded. */
  readonly usesContained: boolean;
  /** True if the schema has `anyOf` or `oneOf`. */
  readonly hasUnions: boolean;
  /** True if matching texts with its patterns may take long. */
  readonly matchesSlowly: boolean;
  /** For each function that is compiled, by its key, the keys to which it refers. The function of `schema` has no key. */
  readonly calls: ReadonlyMap<string, ReadonlySet<string>>;
  /** The names of shared schemas by their keys, which are not in `targets`. */
  readonly shared: ReadonlyMap<string, string>;
}

/** What the references of a schema mean. */
export interface ReferenceContext {
  /** The document in which they lead to schemas: the schema itself, if it is missing. */
  readonly root?: JsonSchema;
  /** The names of schemas in the document that have functions elsewhere. */
  readonly shared?: ReadonlyMap<JsonSchema, string>;
}

/** The key of the function of `schema` in `calls`. */
export const OWN_FUNCTION = "";

/** The keywords of each dialect that can refuse a value. */
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

/** Keywords of objects and arrays that AJV's code merges into the record of what is evaluated. */
const MERGING_KEYWORDS: ReadonlySet<string> = new Set(["patternProperties", "dependentSchemas"]);
const MERGING_KEYWORDS_WITH_CONTAINS: ReadonlySet<string> = new Set([
  ...MERGING_KEYWORDS,
  "contains",
  "additionalProperties",
  "unevaluatedProperties",
]);

/**
 * Reduces a schema to its assertions, in a form that AJV reads as JSON Schema means it. Removes
 * annotations, unknown keywords (some of them mean something to AJV: `$async`, `nullable`, `id`) and
 * siblings of a draft-07 `$ref`, and replaces references by keys.
 *
 * A schema without `$id` is a single resource, so `$dynamicRef` leads to the same schema as `$ref`.
 * Formats that are not checked count as annotations, and so do keywords whose value refuses nothing.
 *
 * Functions of shared schemas are compiled for 2020-12, and record nothing of what is evaluated. Documents that need
 * something else have functions of their own for these schemas.
 *
 * @throws if a reference leads nowhere
 */
export function prepareSchema(schema: JsonSchema, context: ReferenceContext = {}): PreparedSchema {
  return new Preparation(schema, context).run();
}

class Preparation {
  readonly #schema: JsonSchema;
  readonly #root: JsonSchema;
  readonly #names: ReadonlyMap<JsonSchema, string>;
  readonly #dialect: Dialect;
  /** The targets of references with their keys, in the order of the first reference. */
  readonly #targets = new Map<JsonSchema, string>();
  readonly #shared = new Map<string, string>();
  /** The keys to which the schema that is being reduced refers. */
  #referred = new Set<string>();
  readonly #usesUnevaluated: boolean;
  readonly #usesContained: boolean;
  readonly #hasUnions: boolean;
  #matchesSlowly = false;
  /** Keywords before which the record of what is evaluated must be started. */
  readonly #recordedKeywords: ReadonlySet<string> = new Set();

  constructor(schema: JsonSchema, { root = schema, shared = new Map() }: ReferenceContext) {
    this.#schema = schema;
    this.#root = root;
    this.#dialect = dialectOf(root);
    const keywords = typeof root === "boolean" ? NO_KEYWORDS : keywordsWithin(root);
    const uses = (name: string): boolean => this.#dialect === "2020-12" && keywords.has(name);
    this.#usesUnevaluated = uses("unevaluatedItems") || uses("unevaluatedProperties");
    this.#usesContained = uses("unevaluatedItems") && uses("contains");
    this.#hasUnions = keywords.has("anyOf") || keywords.has("oneOf");
    if (this.#usesUnevaluated) this.#recordedKeywords = MERGING_KEYWORDS;
    if (this.#usesContained) this.#recordedKeywords = MERGING_KEYWORDS_WITH_CONTAINS;
    const mayShare = this.#dialect === "2020-12" && !this.#usesUnevaluated;
    this.#names = mayShare ? shared : new Map();
  }

  run(): PreparedSchema {
    const own = this.#reduce(this.#schema);
    const ownCalls = this.#referred;
    const targets = new Map<string, JsonSchema>();
    const calls = new Map([[OWN_FUNCTION, ownCalls]]);
    // A target can hold references to further targets: the map grows while this loop reads it.
    for (const [target, key] of this.#targets) {
      this.#referred = new Set();
      const isOwn = target === this.#schema;
      targets.set(key, isOwn ? own : this.#reduce(target));
      calls.set(key, isOwn ? ownCalls : this.#referred);
    }
    return {
      schema: own,
      ...{ targets, calls, shared: this.#shared },
      dialect: this.#dialect,
      usesUnevaluated: this.#usesUnevaluated,
      usesContained: this.#usesContained,
      hasUnions: this.#hasUnions,
      matchesSlowly: this.#matchesSlowly,
    };
  }

  #reduce(schema: JsonSchema): JsonSchema {
    if (typeof schema === "boolean") return schema;
    const assertions: JsonObject = {};
    const substitutes: JsonValue[] = [];
    let needsRecord = false;
    for (const name of Object.keys(schema)) {
      const value = schema[name] ?? null;
      const keyword = this.#assertion(schema, name, value);
      if (keyword === undefined) continue;
      const substitute = this.#substitute(name, value);
      if (substitute !== undefined) {
        substitutes.push(...substitute);
        continue;
      }
      assertions[emittedName(name, value)] = this.#value(keyword, value);
      needsRecord ||= this.#recordedKeywords.has(name);
      this.#matchesSlowly ||= name === "pattern" && isSlowPattern(String(value));
    }
    if (needsRecord) assertions[RECORD_MARK] = true;
    return withAllOf(assertions, substitutes);
  }

  /** The definition of the keyword; undefined if the keyword asserts nothing here. */
  #assertion(schema: JsonObject, name: string, value: JsonValue): KeywordDefinition | undefined {
    const keyword = ASSERTIONS[this.#dialect].get(name);
    if (keyword === undefined || name === "$ref") return keyword;
    if (!this.#usesUnevaluated && keyword.isVacuous?.(value) === true) return undefined;
    if (this.#dialect === "draft-07" && Object.hasOwn(schema, "$ref")) return undefined;
    return name !== "format" || CHECKED_FORMATS.has(String(value)) ? keyword : undefined;
  }

  /** Schemas that replace a keyword which AJV reads differently from the specification. */
  #substitute(name: string, value: JsonValue): JsonValue[] | undefined {
    if (name === "$dynamicRef") return [{ $ref: this.#reference(String(value)) }];
    if (name === "enum" && Array.isArray(value) && value.length === 0) return [false];
    // AJV ignores an empty list of types, and so does JSON Schema.
    if (name === "type" && Array.isArray(value) && value.length === 0) return [];
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

  /** A subschema, reduced; a list of names, as in draft-07's `dependencies`, stays as it is. */
  #inner(value: JsonValue): JsonValue {
    return isJsonSchema(value) ? this.#reduce(value) : value;
  }

  /** The key of the schema that a reference leads to. */
  #reference(reference: string): string {
    const target = this.#target(reference);
    const key = this.#sharedKey(target) ?? this.#targets.get(target) ?? String(this.#targets.size);
    if (!this.#shared.has(key)) this.#targets.set(target, key);
    this.#referred.add(key);
    return key;
  }

  /** The key of a schema whose function is elsewhere: its reference in the manifest. */
  #sharedKey(target: JsonSchema): string | undefined {
    const name = this.#names.get(target);
    if (name === undefined || target === this.#schema) return undefined;
    const key = writeReference(["schemas", name]);
    this.#shared.set(key, name);
    return key;
  }

  /** The schema at the end of a chain of references. Following the chain here saves one call for each link. */
  #target(reference: string): JsonSchema {
    const passed = new Set<JsonSchema>();
    for (let next = reference; ;) {
      const target = resolveReference(this.#root, next, () => undefined)?.schema;
      if (target === undefined) throw new Error(`the reference ${next} leads nowhere`);
      const onward = this.#soleReference(target);
      if (onward === undefined || passed.has(target)) return target;
      passed.add(target);
      next = onward;
    }
  }

  /** The value of `$ref` if the schema has no other assertion. */
  #soleReference(schema: JsonSchema): string | undefined {
    if (typeof schema === "boolean" || typeof schema["$ref"] !== "string") return undefined;
    const asserts = Object.entries(schema).some(
      ([name, value]) => name !== "$ref" && this.#assertion(schema, name, value) !== undefined,
    );
    return asserts ? undefined : schema["$ref"];
  }
}

/** The name of the keyword that AJV gets. */
function emittedName(name: string, value: JsonValue): string {
  if (name === "type") return OF_TYPE;
  const isNumeric = name === "format" && FORMAT_CHECKS.get(String(value))?.kind === "number";
  return isNumeric ? NUMBER_FORMAT : name;
}

function withAllOf(schema: JsonObject, added: readonly JsonValue[]): JsonObject {
  if (added.length === 0) return schema;
  const present = Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
  return { ...schema, allOf: [...present, ...added] };
}

function mapValues(object: JsonObject, change: (value: JsonValue) => JsonValue): JsonObject {
  const changed = { ...object };
  for (const key of Object.keys(object)) changed[key] = change(object[key] ?? null);
  return changed;
}
