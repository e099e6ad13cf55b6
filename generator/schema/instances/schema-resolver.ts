import { isJsonObject, type JsonObject, type JsonSchema } from "../../model/json.js";
import { onceForEach } from "../../model/once-for-each.js";
import { expressionOf } from "../expressions.js";
import { isJsonSchema, ownValue, type Dialect } from "../json-schema.js";
import { schemaEntries, schemasIn } from "../keyword-values.js";
import { resolveReference, type SharedSchemas } from "../schema-reference.js";

/** Finds all schemas that apply to a value: given schemas, and those that `allOf`, references and alternatives add. */
export class SchemaResolver {
  readonly #root: JsonSchema;
  readonly #dialect: Dialect;
  readonly #shared: SharedSchemas;
  /** Cached: the schemas that apply with one schema, by the alternative. */
  readonly #ofOne = new Map<JsonObject, (readonly JsonObject[] | undefined)[]>();

  /** @param shared the manifest's schemas. What they refer to within themselves is not found. */
  constructor(root: JsonSchema, dialect: Dialect, shared: SharedSchemas = () => undefined) {
    this.#root = root;
    this.#dialect = dialect;
    this.#shared = shared;
  }

  /**
   * All schemas that apply to a value to which `schemas` apply, each once. For one schema it is always the same list.
   *
   * @param alternative index of the branch of `anyOf`, `oneOf` and `if`, modulo their number
   * @returns undefined if one of them is `false`
   */
  applicableSchemas(
    schemas: readonly JsonSchema[],
    alternative: number,
  ): readonly JsonObject[] | undefined {
    const [only] = schemas;
    if (schemas.length !== 1 || typeof only !== "object") return this.#find(schemas, alternative);
    let found = this.#ofOne.get(only);
    if (found === undefined) this.#ofOne.set(only, (found = []));
    if (!(alternative in found)) {
      found[alternative] = addsNoSchemas(only) ? alone(only) : this.#find(schemas, alternative);
    }
    return found[alternative];
  }

  #find(schemas: readonly JsonSchema[], alternative: number): readonly JsonObject[] | undefined {
    // The loop also visits the schemas that it adds.
    const applicable = new Set(schemas);
    for (const schema of applicable) {
      if (schema === false) return undefined;
      if (schema === true) continue;
      for (const addedSchema of this.#schemasAddedBy(schema, alternative))
        applicable.add(addedSchema);
    }
    return [...applicable].filter(isJsonObject).filter((schema) => !this.#isOnlyReference(schema));
  }

  #schemasAddedBy(schema: JsonObject, alternative: number): JsonSchema[] {
    const addedSchemas: JsonSchema[] = [];
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const target = this.#target(ownValue(schema, keyword));
      if (target !== undefined) addedSchemas.push(target);
    }
    if (this.#isOnlyReference(schema)) return addedSchemas;
    addedSchemas.push(...schemasIn(schema["allOf"]));
    for (const keyword of ["anyOf", "oneOf"]) {
      const branches = schemasIn(schema[keyword]);
      const branch = branches[alternative % branches.length];
      if (branch !== undefined) addedSchemas.push(branch);
    }
    return [...addedSchemas, ...conditionalSchemas(schema, alternative)];
  }

  /** In draft-07 all keywords beside a `$ref` are ignored. */
  #isOnlyReference(schema: JsonObject): boolean {
    return this.#dialect === "draft-07" && Object.hasOwn(schema, "$ref");
  }

  #target(reference: unknown): JsonSchema | undefined {
    if (typeof reference !== "string") return undefined;
    return resolveReference(this.#root, reference, this.#shared)?.schema;
  }
}

const ADDING_KEYWORDS = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if"];

/** The list of one schema, always the same, so that values which were made of it are found again. */
const alone = onceForEach((schema: JsonObject): readonly JsonObject[] => [schema]);

/** Whether no other schema applies because this one does. */
function addsNoSchemas(schema: JsonObject): boolean {
  for (const keyword of ADDING_KEYWORDS) if (schema[keyword] !== undefined) return false;
  return true;
}

function conditionalSchemas(schema: JsonObject, alternative: number): JsonSchema[] {
  const condition = schema["if"];
  if (!isJsonSchema(condition)) return [];
  const clause = schema[alternative % 2 === 0 ? "then" : "else"];
  const conditions = alternative % 2 === 0 ? [condition] : [];
  return isJsonSchema(clause) ? [...conditions, clause] : conditions;
}

/** The subschemas that apply to a property of an object to which `schemas` apply. */
export function propertySchemas(schemas: readonly JsonObject[], name: string): JsonSchema[] {
  const [first] = schemas;
  if (first === undefined) return [];
  if (schemas.length === 1) return orAdditional(namedSchemas(first, name), first, false);
  const named = schemas.map((schema) => namedSchemas(schema, name));
  const isNamed = named.some((found) => found.length > 0);
  return schemas.flatMap((schema, index) => orAdditional(named[index] ?? [], schema, isNamed));
}

/** In a schema that does not name a property, `additionalProperties` can apply to it. */
function orAdditional(
  named: JsonSchema[],
  schema: JsonObject,
  isNamedElsewhere: boolean,
): JsonSchema[] {
  return named.length > 0 ? named : additionalSchemas(schema, isNamedElsewhere);
}

/** What a schema requires of a property that it does not name; `isNamed` if another schema names it. */
function additionalSchemas(
  { additionalProperties, unevaluatedProperties }: JsonObject,
  isNamed: boolean,
): JsonSchema[] {
  const rules = isNamed ? [additionalProperties] : [additionalProperties, unevaluatedProperties];
  return rules.filter(isJsonSchema);
}

/** The schemas of a property that a schema names, itself or by a pattern. */
function namedSchemas({ properties, patternProperties }: JsonObject, name: string): JsonSchema[] {
  const property = isJsonObject(properties) ? ownValue(properties, name) : undefined;
  const found = isJsonSchema(property) ? [property] : [];
  if (patternProperties === undefined) return found;
  for (const [pattern, value] of schemaEntries(patternProperties)) {
    if (expressionOf(pattern).test(name)) found.push(value);
  }
  return found;
}
