import { createRequire } from "node:module";
import type { AnySchemaObject, ErrorObject, KeywordDefinition } from "ajv";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { dialectOf, isJsonSchema, KEYWORDS, type Dialect } from "../../model/json-schema.js";
import { resolveReference, type SharedSchemas } from "../../model/schema-reference.js";
import { KNOWN_FORMATS } from "./check-annotations.js";
import { canonicalText, repeatedIndexes } from "./schema-document.js";

type Validate = { (value: unknown): unknown; errors?: ErrorObject[] | null };

/** Keywords that refuse no value. */
const SILENT: ReadonlySet<string> = new Set(
  (
    "$schema $comment $anchor $dynamicAnchor $defs definitions title description default examples " +
    "deprecated readOnly writeOnly contentEncoding contentMediaType contentSchema"
  ).split(" "),
);

/**
 * Validates values of a manifest against its schemas. AJV is loaded, and schemas are compiled,
 * only when a value is to be checked. For schemas in which no error was found.
 *
 * Each target of a reference is given to AJV as a schema of its own, under a number: AJV follows
 * no pointer, anchor or address itself.
 */
export class SchemaValidator {
  readonly #shared: SharedSchemas;
  readonly #engines = new Map<Dialect, Ajv2020>();
  readonly #validators = new Map<string, Validate>();
  readonly #numbers = new Map<JsonObject, number>();

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /**
   * The findings about a value; empty where it fits.
   *
   * @param root the schema within which the references of `schema` are read
   */
  findings(value: JsonValue, schema: JsonObject, root: JsonObject): readonly ErrorObject[] {
    const dialect = dialectOf(root);
    const prepared = new Preparation(root, this).prepare(schema);
    // Many schemas differ in their descriptions only; prepared, they are the same.
    const text = `${dialect} ${JSON.stringify(prepared)}`;
    let validate = this.#validators.get(text);
    if (validate === undefined) {
      validate = this.#engine(dialect).compile(prepared) as Validate;
      this.#validators.set(text, validate);
    }
    if (validate(value) === true) return [];
    // AJV does not see what `contains` evaluates, and would refuse values that fit.
    return (validate.errors ?? []).filter(({ keyword }) => keyword !== "unevaluatedItems");
  }

  /** Registers the target of a reference; AJV asks for it when it compiles the reference. */
  idOf(reference: string, root: JsonObject): string {
    const target = resolveReference(root, reference, this.#shared);
    if (target === undefined) throw new Error(`the reference ${reference} leads nowhere`);
    const { schema } = target;
    if (!isJsonObject(schema) || !isJsonObject(target.root)) return schema ? ANYTHING : NOTHING;
    const known = this.#numbers.get(schema);
    if (known !== undefined) return `mcpwright:${known}`;
    const number = this.#numbers.size;
    this.#numbers.set(schema, number);
    const prepared = new Preparation(target.root, this).prepare(schema);
    this.#engine(dialectOf(target.root)).addSchema(prepared, `mcpwright:${number}`);
    return `mcpwright:${number}`;
  }

  #engine(dialect: Dialect): Ajv2020 {
    let engine = this.#engines.get(dialect);
    if (engine === undefined) {
      engine = createEngine(dialect);
      this.#engines.set(dialect, engine);
    }
    return engine;
  }
}

const ANYTHING = "mcpwright:anything";
const NOTHING = "mcpwright:nothing";

/** Copies what decides whether a value fits, with references by number. */
class Preparation {
  readonly #root: JsonObject;
  readonly #dialect: Dialect;
  readonly #validator: SchemaValidator;

  constructor(root: JsonObject, validator: SchemaValidator) {
    this.#root = root;
    this.#dialect = dialectOf(root);
    this.#validator = validator;
  }

  prepare(schema: JsonObject): JsonObject {
    const entries = Object.entries(schema).filter(([name, value]) =>
      this.#decides(name, value, schema),
    );
    const prepared = Object.fromEntries(
      entries.map(([name, value]) => [name, this.#value(name, value)]),
    );
    return withBranches(withoutDynamicReference(prepared));
  }

  /** Beside a `$ref`, draft-07 ignores every other keyword. */
  #decides(name: string, value: JsonValue, schema: JsonObject): boolean {
    if (SILENT.has(name) || !KEYWORDS.has(name)) return false;
    if (this.#dialect === "draft-07" && Object.hasOwn(schema, "$ref")) return name === "$ref";
    return name !== "format" || KNOWN_FORMATS.has(String(value));
  }

  #value(name: string, value: JsonValue): JsonValue {
    if (name === "$ref" || name === "$dynamicRef") {
      return this.#validator.idOf(String(value), this.#root);
    }
    const shape = KEYWORDS.get(name)?.shape ?? "any";
    if (shape === "schema map" || shape === "dependency map") {
      const entries = Object.entries(value ?? {});
      return Object.fromEntries(entries.map(([key, item]) => [key, this.#inner(item)]));
    }
    if (!shape.startsWith("schema")) return value;
    return Array.isArray(value) ? value.map((item) => this.#inner(item)) : this.#inner(value);
  }

  #inner(value: JsonValue): JsonValue {
    return isJsonSchema(value) && isJsonObject(value) ? this.prepare(value) : value;
  }
}

/** A schema without `$id` is one resource, in which `$dynamicRef` leads where `$ref` would. */
function withoutDynamicReference({ $dynamicRef: reference, ...schema }: JsonObject): JsonObject {
  if (reference === undefined) return schema;
  const all = Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
  return { ...schema, allOf: [...all, { $ref: reference }] };
}

/** AJV drops an `if` without branches, and with it the properties that it evaluates. */
function withBranches(schema: JsonObject): JsonObject {
  return Object.hasOwn(schema, "if")
    ? { then: { $ref: ANYTHING }, else: { $ref: ANYTHING }, ...schema }
    : schema;
}

function createEngine(dialect: Dialect): Ajv2020 {
  const require = createRequire(import.meta.url);
  const { Ajv2020 } = require("ajv/dist/2020.js") as typeof import("ajv/dist/2020.js");
  const { Ajv } = require("ajv") as typeof import("ajv");
  const addFormats = require("ajv-formats") as typeof import("ajv-formats");
  const options = {
    allErrors: true,
    verbose: true,
    strict: false,
    validateSchema: false,
    ownProperties: true,
    logger: false,
    // Quotients such as 0.07 / 0.01 are not whole in binary.
    multipleOfPrecision: 9,
  } as const;
  const engine = (dialect === "draft-07" ? new Ajv(options) : new Ajv2020(options)) as Ajv2020;
  addFormats.default(engine);
  for (const keyword of OWN_KEYWORDS) {
    engine.removeKeyword(String(keyword.keyword));
    engine.addKeyword(keyword);
  }
  engine.addSchema({}, ANYTHING);
  engine.addSchema({ not: {} }, NOTHING);
  return engine;
}

/**
 * Keywords whose implementation in AJV is not used: it compares every pair of items, calls a
 * `toString` that is only data, and tries patterns on texts that `maxLength` refuses.
 */
const OWN_KEYWORDS: readonly KeywordDefinition[] = [
  {
    keyword: "enum",
    errors: false,
    compile: (values: JsonValue[]) => {
      const texts = new Set(values.map(canonicalText));
      return (value: JsonValue) => texts.has(canonicalText(value));
    },
  },
  {
    keyword: "const",
    errors: false,
    compile: (constant: JsonValue) => {
      const text = canonicalText(constant);
      return (value: JsonValue) => text === canonicalText(value);
    },
  },
  {
    keyword: "uniqueItems",
    type: "array",
    errors: false,
    compile: (isUnique: boolean) => (items: JsonValue[]) =>
      !isUnique || repeatedIndexes(items).length === 0,
  },
  {
    keyword: "pattern",
    type: "string",
    errors: false,
    compile: (source: string, parentSchema: AnySchemaObject) => {
      const pattern = new RegExp(source, "u");
      const maxLength: unknown = parentSchema["maxLength"];
      // A character has one or two units.
      const mostUnits = typeof maxLength === "number" ? 2 * maxLength : Infinity;
      return (text: string) => text.length > mostUnits || pattern.test(text);
    },
  },
];
