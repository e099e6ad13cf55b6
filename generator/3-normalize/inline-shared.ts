import { isJsonObject, type JsonObject, type JsonSchema } from "../model/json.js";
import { dialectOf, type Dialect } from "../schema/json-schema.js";
import {
  parseReference,
  resolveReference,
  type SharedSchemas,
} from "../schema/schema-reference.js";
import { mapSubschemas } from "./map-subschemas.js";

/** Keywords that refuse no value: beside a reference they say more than what it leads to. */
const ANNOTATIONS: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  "2020-12": new Set(
    "$schema $comment $defs definitions title description default examples deprecated readOnly writeOnly".split(
      " ",
    ),
  ),
  // What stands beside a reference means nothing in draft-07; people read these all the same.
  "draft-07": new Set("$schema $defs definitions title description".split(" ")),
};

/**
 * The rule "shared schemas are written out in place": the schema without a reference to a shared
 * one. Its own definitions stay as they are. Only for schemas among which none leads back to
 * itself, as 2-validate has made sure.
 */
export function inlineShared(authored: JsonSchema, shared: SharedSchemas): JsonSchema {
  if (!isJsonObject(authored)) return authored;
  return new Inliner(authored, shared).expandOwn(authored);
}

class Inliner {
  readonly #authored: JsonObject;
  readonly #shared: SharedSchemas;
  readonly #dialect: Dialect;

  constructor(authored: JsonObject, shared: SharedSchemas) {
    this.#authored = authored;
    this.#shared = shared;
    this.#dialect = dialectOf(authored);
  }

  /** A schema that stands in the authored one: references within it keep their meaning. */
  expandOwn(schema: JsonSchema): JsonSchema {
    if (!isJsonObject(schema)) return schema;
    const copy = mapSubschemas(schema, (subschema) => this.expandOwn(subschema));
    return this.#replaceReferences(copy, this.#authored, isShared);
  }

  /** A schema that stands in a shared one, which is left behind with its definitions. */
  #expandShared(schema: JsonSchema, root: JsonSchema): JsonSchema {
    if (!isJsonObject(schema)) return schema;
    const { $schema: _dialect, $defs: _defs, definitions: _definitions, ...rest } = schema;
    const copy = mapSubschemas(rest, (subschema) => this.#expandShared(subschema, root));
    return this.#replaceReferences(copy, root, () => true);
  }

  #replaceReferences(
    copy: JsonObject,
    root: JsonSchema,
    isReplaced: (reference: string) => boolean,
  ): JsonSchema {
    let result: JsonSchema = copy;
    for (const keyword of ["$ref", "$dynamicRef"]) {
      const reference = copy[keyword];
      if (typeof reference !== "string" || !isReplaced(reference) || !isJsonObject(result))
        continue;
      const target = resolveReference(root, reference, this.#shared);
      if (target === undefined) continue;
      const { [keyword]: _replaced, ...beside } = result;
      result = this.#joined(this.#expandShared(target.schema, target.root), beside);
    }
    return result;
  }

  /** What a reference led to, and what stood beside it. */
  #joined(target: JsonSchema, beside: JsonObject): JsonSchema {
    const isAnnotation = (keyword: string): boolean =>
      keyword.startsWith("x-") || ANNOTATIONS[this.#dialect].has(keyword);
    if (this.#dialect === "draft-07") {
      return withAnnotations(target, only(beside, isAnnotation));
    }
    if (Object.keys(beside).every(isAnnotation)) return withAnnotations(target, beside);
    const { allOf = [], ...others } = beside;
    return { ...others, allOf: [...(Array.isArray(allOf) ? allOf : []), target] };
  }
}

function isShared(reference: string): boolean {
  return parseReference(reference).kind === "shared";
}

function withAnnotations(target: JsonSchema, annotations: JsonObject): JsonSchema {
  if (Object.keys(annotations).length === 0) return target;
  if (isJsonObject(target)) return { ...target, ...annotations };
  return target ? annotations : { ...annotations, not: {} };
}

function only(object: JsonObject, isKept: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => isKept(key)));
}
