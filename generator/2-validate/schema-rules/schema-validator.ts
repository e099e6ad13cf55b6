import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { dialectOf, isJsonSchema, ownValue } from "../../schema/json-schema.js";
import type { ManifestPath } from "../../model/loaded-manifest.js";
import { resolveReference, type SharedSchemas } from "../../schema/schema-reference.js";
import { PlainKeywords } from "./plain-keywords.js";
import { SharedWork } from "../../schema/shared-work.js";

/** A keyword of a schema that a value breaks. */
export interface ValueFinding {
  /** Where in the value. */
  readonly path: ManifestPath;
  readonly keyword: string;
  /** The keyword's value. */
  readonly rule: JsonValue;
  readonly value: JsonValue;
  /** The property that is missing, or that the schema does not have. */
  readonly property?: string;
  /** How many alternatives of `oneOf` fit. */
  readonly fitting?: number;
}

/** Findings about one value; more say little. */
const MOST_FINDINGS = 20;

/** Schemas within schemas and references, all the way into a value: what the stack bears. */
const DEEPEST = 300;
/** Schemas held against all values together: as many as a manifest may have tokens. */
const MOST_READINGS = 1_500_000;
/** Those of the values in a tool's schema, or beside it, before they take from the others. */
const READINGS_OF_EACH = 150;

/** Ends a reading that costs too much, at once: where schemas branch, going on would never end. */
class TooCostly extends Error {
  constructor(readonly finding: ValueFinding) {
    super("the value cannot be checked");
  }
}

/**
 * Reads schemas as the specifications say, on values of a manifest: its defaults, examples and
 * fixed answers. Nothing is compiled, since most schemas meet one value. For schemas in which no
 * error was found; compiled validators are held against it.
 */
export class SchemaValidator {
  readonly #shared: SharedSchemas;
  readonly #plain = new PlainKeywords();
  readonly readings = new SharedWork(MOST_READINGS, READINGS_OF_EACH);

  constructor(shared: SharedSchemas) {
    this.#shared = shared;
  }

  /**
   * The first findings about a value; empty where it fits. Only `depth` or `cost` is found where
   * schemas lead too far into the value, or too often.
   *
   * @param root the schema within which the references of `schema` are read
   */
  findings(value: JsonValue, schema: JsonSchema, root: JsonSchema): readonly ValueFinding[] {
    const found: ValueFinding[] = [];
    const most = this.readings.left;
    const cost: Cost = { levels: 0, readingsLeft: most, trials: new Map() };
    try {
      new Reading(root, this.#shared, this.#plain, found, cost).read(value, schema, []);
      return found;
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error;
      return [error.finding];
    } finally {
      this.readings.spend(most - cost.readingsLeft);
    }
  }
}

/** The names of properties and the indexes of items that were evaluated. */
type Evaluated = Set<string | number>;

/** What came of trials by the root of the schema, the schema and the value: alternatives ask the same again. */
type Trials = Map<JsonSchema, Map<JsonSchema, Map<JsonValue, Evaluated | undefined>>>;

interface Cost {
  levels: number;
  readingsLeft: number;
  readonly trials: Trials;
}

class Reading {
  readonly #root: JsonSchema;
  readonly #shared: SharedSchemas;
  readonly #plain: PlainKeywords;
  readonly #found: ValueFinding[];
  readonly #isDraft07: boolean;
  readonly #cost: Cost;

  constructor(
    root: JsonSchema,
    shared: SharedSchemas,
    plain: PlainKeywords,
    found: ValueFinding[],
    cost: Cost,
  ) {
    this.#root = root;
    this.#cost = cost;
    this.#shared = shared;
    this.#plain = plain;
    this.#found = found;
    this.#isDraft07 = dialectOf(root) === "draft-07";
  }

  /** Adds what is found, if it is among the first, and returns what the schema evaluated of the value itself. */
  read(value: JsonValue, schema: JsonSchema, path: ManifestPath): Evaluated {
    const cost = this.#cost;
    cost.readingsLeft -= 1;
    if (cost.levels >= DEEPEST) {
      throw new TooCostly({ path, keyword: "depth", rule: DEEPEST, value });
    }
    if (cost.readingsLeft < 0) {
      throw new TooCostly({ path, keyword: "cost", rule: MOST_READINGS, value });
    }
    cost.levels += 1;
    const evaluated = this.#readWithin(value, schema, path);
    cost.levels -= 1;
    return evaluated;
  }

  #readWithin(value: JsonValue, schema: JsonSchema, path: ManifestPath): Evaluated {
    const evaluated: Evaluated = new Set();
    if (typeof schema === "boolean") {
      if (!schema) this.#add({ path, keyword: "false schema", rule: schema, value });
      return evaluated;
    }
    const add = (names: Iterable<string | number>): void => {
      for (const name of names) evaluated.add(name);
    };
    if (this.#isDraft07 && Object.hasOwn(schema, "$ref")) {
      add(this.#reference(value, String(schema["$ref"]), path));
      return evaluated;
    }
    for (const [keyword, rule] of Object.entries(schema)) {
      if (!this.#plain.accepts(value, keyword, rule, schema)) {
        this.#add({ path, keyword, rule, value });
      }
    }
    add(this.#inPlace(value, schema, path));
    if (Array.isArray(value)) add(this.#items(value, schema, path));
    else if (isJsonObject(value)) add(this.#properties(value, schema, path));
    this.#others(value, schema, path, evaluated);
    return evaluated;
  }

  #add(finding: ValueFinding): void {
    if (this.#found.length < MOST_FINDINGS) this.#found.push(finding);
  }

  /** What a schema finds, kept apart: `undefined` where the value does not fit. */
  #trial(value: JsonValue, schema: JsonValue | undefined): Evaluated | undefined {
    if (!isJsonSchema(schema)) return new Set();
    const known = this.#trialsOf(schema);
    if (typeof value === "object" && known.has(value)) return known.get(value);
    const found: ValueFinding[] = [];
    const evaluated = this.#apart(found).read(value, schema, []);
    const outcome = found.length === 0 ? evaluated : undefined;
    if (typeof value === "object") known.set(value, outcome);
    return outcome;
  }

  #trialsOf(schema: JsonSchema): Map<JsonValue, Evaluated | undefined> {
    const ofRoot = this.#cost.trials.get(this.#root) ?? new Map();
    const ofSchema = ofRoot.get(schema) ?? new Map();
    this.#cost.trials.set(this.#root, ofRoot.set(schema, ofSchema));
    return ofSchema;
  }

  #apart(found: ValueFinding[]): Reading {
    return new Reading(this.#root, this.#shared, this.#plain, found, this.#cost);
  }

  #reference(value: JsonValue, reference: string, path: ManifestPath): Evaluated {
    const target = resolveReference(this.#root, reference, this.#shared);
    if (target === undefined) throw new Error(`the reference ${reference} leads nowhere`);
    if (target.root === this.#root) return this.read(value, target.schema, path);
    const there = new Reading(target.root, this.#shared, this.#plain, this.#found, this.#cost);
    return there.read(value, target.schema, path);
  }

  /** The schemas that apply to the value itself. */
  *#inPlace(value: JsonValue, schema: JsonObject, path: ManifestPath): Generator<string | number> {
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const reference = ownValue(schema, keyword);
      if (typeof reference === "string") yield* this.#reference(value, reference, path);
    }
    for (const part of schemasUnder(schema, "allOf")) yield* this.read(value, part, path);
    yield* this.#alternatives(value, schema, path);
    if (Object.hasOwn(schema, "not") && this.#trial(value, schema["not"]) !== undefined) {
      this.#add({ path, keyword: "not", rule: schema["not"] ?? null, value });
    }
    if (Object.hasOwn(schema, "if")) {
      const passed = this.#trial(value, schema["if"]);
      yield* passed ?? [];
      const branch = ownValue(schema, passed === undefined ? "else" : "then");
      if (isJsonSchema(branch)) yield* this.read(value, branch, path);
    }
    if (!isJsonObject(value)) return;
    for (const keyword of ["dependentSchemas", "dependencies"]) {
      for (const [name, inner] of entriesUnder(schema, keyword)) {
        if (!Object.hasOwn(value, name) || !isJsonSchema(inner)) continue;
        yield* this.read(value, inner, path);
      }
    }
  }

  /** What each alternative misses says less than that none fits. */
  *#alternatives(
    value: JsonValue,
    schema: JsonObject,
    path: ManifestPath,
  ): Generator<string | number> {
    for (const keyword of ["anyOf", "oneOf"]) {
      const rule = ownValue(schema, keyword);
      if (!Array.isArray(rule)) continue;
      const trials = rule.map((alternative) => this.#trial(value, alternative));
      const passed = trials.filter((evaluated) => evaluated !== undefined);
      const fitting = passed.length;
      if (fitting === 0 || (keyword === "oneOf" && fitting > 1)) {
        this.#add({ path, keyword, rule, value, fitting });
      }
      for (const evaluated of passed) yield* evaluated;
    }
  }

  *#items(
    list: readonly JsonValue[],
    schema: JsonObject,
    path: ManifestPath,
  ): Generator<string | number> {
    const items = ownValue(schema, "items");
    const prefix = Array.isArray(items) ? items : schemasUnder(schema, "prefixItems");
    const rest = Array.isArray(items) ? ownValue(schema, "additionalItems") : items;
    for (const [index, item] of list.entries()) {
      const rule = index < prefix.length ? prefix[index] : rest;
      if (!isJsonSchema(rule)) continue;
      this.read(item, rule, [...path, index]);
      yield index;
    }
    const contains = ownValue(schema, "contains");
    if (contains === undefined) return;
    const fitting = [...list.keys()].filter(
      (index) => this.#trial(list[index] ?? null, contains) !== undefined,
    );
    yield* fitting;
    const { minContains = 1, maxContains = Infinity } = this.#isDraft07 ? {} : schema;
    const keyword =
      fitting.length < Number(minContains)
        ? "contains"
        : fitting.length > Number(maxContains)
          ? "maxContains"
          : undefined;
    if (keyword !== undefined) {
      this.#add({ path, keyword, rule: schema[keyword] ?? null, value: [...list] });
    }
  }

  *#properties(
    object: JsonObject,
    schema: JsonObject,
    path: ManifestPath,
  ): Generator<string | number> {
    for (const property of missingNames(object, schema)) {
      this.#add({ path, keyword: "required", rule: property, value: object, property });
    }
    const properties = ownValue(schema, "properties");
    const patterns = entriesUnder(schema, "patternProperties");
    const additional = ownValue(schema, "additionalProperties");
    const names = ownValue(schema, "propertyNames");
    for (const [name, value] of Object.entries(object)) {
      if (isJsonSchema(names)) this.read(name, names, [...path, name]);
      const own = isJsonObject(properties) ? ownValue(properties, name) : undefined;
      const rules = [
        own,
        ...patterns.map(([pattern, rule]) =>
          this.#plain.expression(pattern).test(name) ? rule : undefined,
        ),
      ].filter(isJsonSchema);
      for (const rule of rules) this.read(value, rule, [...path, name]);
      if (rules.length > 0) yield name;
      else if (additional === false) this.#unknown("additionalProperties", object, name, path);
      else if (isJsonSchema(additional)) this.read(value, additional, [...path, name]);
      if (additional !== undefined) yield name;
    }
  }

  #unknown(keyword: string, object: JsonObject, property: string, path: ManifestPath): void {
    this.#add({ path, keyword, rule: false, value: object, property });
  }

  /** What nothing else has evaluated; afterwards it is. */
  #others(value: JsonValue, schema: JsonObject, path: ManifestPath, evaluated: Evaluated): void {
    if (this.#isDraft07 || typeof value !== "object" || value === null) return;
    const keyword = Array.isArray(value) ? "unevaluatedItems" : "unevaluatedProperties";
    const rule = ownValue(schema, keyword);
    if (!isJsonSchema(rule)) return;
    const members: Iterable<[string | number, JsonValue]> = Array.isArray(value)
      ? value.entries()
      : Object.entries(value);
    for (const [name, member] of members) {
      if (evaluated.has(name)) continue;
      evaluated.add(name);
      if (rule === false && isJsonObject(value)) this.#unknown(keyword, value, String(name), path);
      else this.read(member, rule, [...path, name]);
    }
  }
}

/** Properties that `required`, or another property that is there, asks for. */
function missingNames(object: JsonObject, schema: JsonObject): string[] {
  const required = ownValue(schema, "required");
  const lists = ["dependentRequired", "dependencies"].flatMap((keyword) =>
    entriesUnder(schema, keyword)
      .filter(([name]) => Object.hasOwn(object, name))
      .map(([, names]) => names),
  );
  return [required ?? [], ...lists]
    .flatMap((names) => (Array.isArray(names) ? names : []))
    .filter((name): name is string => typeof name === "string" && !Object.hasOwn(object, name));
}

function schemasUnder(schema: JsonObject, keyword: string): JsonSchema[] {
  const list = ownValue(schema, keyword);
  return Array.isArray(list) ? list.filter(isJsonSchema) : [];
}

function entriesUnder(schema: JsonObject, keyword: string): [string, JsonValue][] {
  const map = ownValue(schema, keyword);
  return isJsonObject(map) ? Object.entries(map) : [];
}
