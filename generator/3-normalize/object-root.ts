import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { flattenRoot, refusedAtRoot } from "../schema/flat-root/flatten-root.js";
import { resolveReference } from "../schema/schema-reference.js";
import type { SchemaModel } from "../model/server-model.js";

/**
 * The rule "an input says that it is an object": the protocol wants `type: object` at the root of an
 * input schema, also where a root `$ref` says the rest.
 */
export function withObjectRoot(schema: SchemaModel): SchemaModel {
  const { wire } = schema;
  if (!isJsonObject(wire) || wire["type"] !== undefined) return schema;
  return { ...schema, wire: { type: "object", ...wire } };
}

/**
 * The rule "clients are shown inputs that model APIs take": `properties` at the root of an input, and no combination
 * of schemas there. Where one says more than can be said without it, arguments are checked against more than is shown.
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
 * The rule "an output that can only be an object says so": behind a root `$ref` or a choice of
 * objects, clients before 2026-07-28 would otherwise get it wrapped, as `{ result: … }`.
 */
export function withImpliedObjectRoot(schema: SchemaModel): SchemaModel {
  const isImplied = isJsonObject(schema.wire) && new ObjectCheck(schema.wire).check(schema.wire);
  return isImplied ? withObjectRoot(schema) : schema;
}

/** Whether schemas of a document accept objects only, as far as it can be told without trying values. */
class ObjectCheck {
  readonly #root: JsonObject;
  /** Schemas that several choices share are looked at once. */
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
    if (Array.isArray(allOf) && allOf.some((part) => this.check(part))) return true;
    return [anyOf, oneOf].some(
      (choices) => Array.isArray(choices) && choices.every((choice) => this.check(choice)),
    );
  }

  #target(reference: string): JsonSchema | undefined {
    return resolveReference(this.#root, reference, () => undefined)?.schema;
  }
}
