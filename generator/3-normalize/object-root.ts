import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { flattenRoot, refusedAtRoot } from "../schema/flat-root/flatten-root.js";
import { resolveReference } from "../schema/schema-reference.js";
import type { SchemaModel } from "../model/server-model.js";

/**
 * Adds `type: object` to an input schema that has no type at its root. The protocol requires it, also
 * beside a root `$ref`.
 */
export function withObjectRoot(schema: SchemaModel): SchemaModel {
  const { wire } = schema;
  if (!isJsonObject(wire) || wire["type"] !== undefined) return schema;
  return { ...schema, wire: { type: "object", ...wire } };
}

/**
 * Gives clients an input schema that model APIs accept: with `properties` at its root, and without a combination of
 * schemas there. If that cannot say everything, `shown` says less than `wire`, and arguments are checked by `wire`.
 */
export function withShownRoot(schema: SchemaModel): SchemaModel {
  const { wire } = schema;
  if (!isJsonObject(wire)) return schema;
  if (refusedAtRoot(wire).length === 0) {
    const { type = "object", ...others } = wire;
    const isComplete = others["properties"] !== undefined;
    return isComplete ? schema : { ...schema, wire: { type, properties: {}, ...others } };
  }
  const shown = flattenRoot(wire)?.schema;
  return shown === undefined ? schema : { ...schema, shown };
}

/**
 * Adds `type: object` to an output that a root `$ref` or a choice of schemas restricts to objects.
 * Otherwise clients before 2026-07-28 would get the output wrapped, as `{ result: … }`.
 */
export function withImpliedObjectRoot(schema: SchemaModel): SchemaModel {
  const isImplied = isJsonObject(schema.wire) && new ObjectCheck(schema.wire).check(schema.wire);
  return isImplied ? withObjectRoot(schema) : schema;
}

/** Finds out whether schemas of a document accept objects only. It tries no values: `false` means "not certain". */
class ObjectCheck {
  readonly #root: JsonObject;
  /** The results for schemas that have been checked, since several choices may share one. */
  readonly #verdicts = new Map<JsonObject, boolean>();

  constructor(root: JsonObject) {
    this.#root = root;
  }

  check(schema: JsonValue | undefined): boolean {
    if (!isJsonObject(schema)) return false;
    const verdict = this.#verdicts.get(schema);
    if (verdict !== undefined) return verdict;
    this.#verdicts.set(schema, false);
    const isObject = this.#isObject(schema);
    this.#verdicts.set(schema, isObject);
    return isObject;
  }

  #isObject(schema: JsonObject): boolean {
    const { type, $ref, allOf, anyOf, oneOf } = schema;
    if (type !== undefined) return type === "object";
    if (typeof $ref === "string" && this.check(this.#target($ref))) return true;
    if (Array.isArray(allOf) && allOf.some((branch) => this.check(branch))) return true;
    return [anyOf, oneOf].some(
      (choices) => Array.isArray(choices) && choices.every((choice) => this.check(choice)),
    );
  }

  #target(reference: string): JsonSchema | undefined {
    return resolveReference(this.#root, reference, () => undefined)?.schema;
  }
}
