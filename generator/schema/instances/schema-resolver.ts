import { isJsonObject, type JsonObject, type JsonSchema } from "../../model/json.js";
import { expressionOf } from "../expressions.js";
import { isJsonSchema, ownValue, type Dialect } from "../json-schema.js";
import { schemaEntries, schemasIn } from "../keyword-values.js";
import { resolveReference } from "../schema-reference.js";

/**
 * Knows which schemas speak about a place in a value. Several can: those joined by `allOf`, by
 * references and by the alternatives taken, and all that name the same property.
 */
export class Places {
  readonly #root: JsonSchema;
  readonly #dialect: Dialect;

  constructor(root: JsonSchema, dialect: Dialect) {
    this.#root = root;
    this.#dialect = dialect;
  }

  /**
   * All schemas in force where the given ones are, each once.
   *
   * @param alternative which of `anyOf`, `oneOf` and `if` is taken, counted around
   * @returns undefined where one of them is `false`
   */
  inForce(schemas: readonly JsonSchema[], alternative: number): JsonObject[] | undefined {
    // Most places have one schema that stands alone.
    if (schemas.length === 1 && isAlone(schemas[0])) return [schemas[0]];
    // The set grows while it is read.
    const met = new Set(schemas);
    for (const schema of met) {
      if (schema === false) return undefined;
      if (schema === true) continue;
      for (const joined of this.#joined(schema, alternative)) met.add(joined);
    }
    return [...met].filter(isJsonObject).filter((schema) => !this.#isOnlyReference(schema));
  }

  #joined(schema: JsonObject, alternative: number): JsonSchema[] {
    const joined: JsonSchema[] = [];
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const target = this.#target(ownValue(schema, keyword));
      if (target !== undefined) joined.push(target);
    }
    if (this.#isOnlyReference(schema)) return joined;
    for (const part of schemasIn(schema["allOf"])) joined.push(part);
    for (const keyword of ["anyOf", "oneOf"]) {
      const branches = schemasIn(schema[keyword]);
      const branch = branches[alternative % branches.length];
      if (branch !== undefined) joined.push(branch);
    }
    return [...joined, ...conditional(schema, alternative)];
  }

  /** In draft-07 nothing counts beside a `$ref`. */
  #isOnlyReference(schema: JsonObject): boolean {
    return this.#dialect === "draft-07" && Object.hasOwn(schema, "$ref");
  }

  #target(reference: unknown): JsonSchema | undefined {
    if (typeof reference !== "string") return undefined;
    return resolveReference(this.#root, reference, () => undefined)?.schema;
  }
}

const JOINING_KEYWORDS = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if"];

/** Whether a schema joins no other to itself. */
function isAlone(schema: JsonSchema | undefined): schema is JsonObject {
  if (typeof schema !== "object") return false;
  for (const keyword of JOINING_KEYWORDS) if (schema[keyword] !== undefined) return false;
  return true;
}

function conditional(schema: JsonObject, alternative: number): JsonSchema[] {
  const condition = schema["if"];
  if (!isJsonSchema(condition)) return [];
  const clause = schema[alternative % 2 === 0 ? "then" : "else"];
  const taken = alternative % 2 === 0 ? [condition] : [];
  return isJsonSchema(clause) ? [...taken, clause] : taken;
}

/** The schemas that speak about a property of the objects that the given ones describe. */
export function propertySchemas(schemas: readonly JsonObject[], name: string): JsonSchema[] {
  const found: JsonSchema[] = [];
  const silent: [before: number, schema: JsonObject][] = [];
  for (const schema of schemas) {
    const before = found.length;
    addMatching(schema, name, found);
    if (found.length === before) silent.push([before, schema]);
  }
  // A schema that does not know the property may have something to say of others.
  const isKnown = found.length > 0;
  for (const [before, schema] of silent.reverse()) {
    found.splice(before, 0, ...otherSchemas(schema, isKnown));
  }
  return found;
}

/** What a schema says of a property that it does not know; `isKnown` where another does. */
function otherSchemas(
  { additionalProperties, unevaluatedProperties }: JsonObject,
  isKnown: boolean,
): JsonSchema[] {
  const others = isKnown ? [additionalProperties] : [additionalProperties, unevaluatedProperties];
  return others.filter(isJsonSchema);
}

function addMatching(schema: JsonObject, name: string, found: JsonSchema[]): void {
  const { properties, patternProperties } = schema;
  const named = isJsonObject(properties) ? ownValue(properties, name) : undefined;
  if (isJsonSchema(named)) found.push(named);
  if (patternProperties === undefined) return;
  for (const [pattern, value] of schemaEntries(patternProperties)) {
    if (expressionOf(pattern).test(name)) found.push(value);
  }
}
