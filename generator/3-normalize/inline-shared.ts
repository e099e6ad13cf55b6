import { isJsonObject, type JsonObject, type JsonSchema } from "../model/json.js";
import { dialectOf, type Dialect } from "../schema/json-schema.js";
import {
  parseReference,
  resolveReference,
  type SharedSchemas,
} from "../schema/schema-reference.js";
import { mapSubschemas } from "../schema/map-subschemas.js";

/** Keywords that refuse no value. Beside a reference, they override the keywords of its target. */
const ANNOTATIONS: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  "2020-12": new Set(
    "$schema $comment $defs definitions title description default examples deprecated readOnly writeOnly".split(
      " ",
    ),
  ),
  // Draft-07 ignores all keywords beside a reference, but people read these.
  "draft-07": new Set("$schema $defs definitions title description".split(" ")),
};

/**
 * Replaces each reference to a shared schema by a copy of that schema. The definitions of the authored
 * schema stay as they are. The shared schemas must not be recursive; 2-validate has made sure of that.
 */
export function inlineShared(authored: JsonSchema, shared: SharedSchemas): JsonSchema {
  if (!isJsonObject(authored)) return authored;
  return new Inliner(authored, shared).expandAuthored(authored);
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

  /** Expands the authored schema or a part of it. References to its own definitions stay. */
  expandAuthored(schema: JsonSchema): JsonSchema {
    if (!isJsonObject(schema)) return schema;
    const copy = mapSubschemas(schema, (subschema) => this.expandAuthored(subschema));
    return this.#replaceReferences(copy, this.#authored, isShared);
  }

  /** Expands a shared schema or a part of it. Its definitions are not copied, so every reference is replaced. */
  #expandShared(schema: JsonSchema, root: JsonSchema): JsonSchema {
    if (!isJsonObject(schema)) return schema;
    const { $schema: _dialect, $defs: _defs, definitions: _definitions, ...others } = schema;
    const copy = mapSubschemas(others, (subschema) => this.#expandShared(subschema, root));
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

  /** Joins the target of a reference with the keywords beside the reference. */
  #joined(target: JsonSchema, beside: JsonObject): JsonSchema {
    const isAnnotation = (keyword: string): boolean =>
      keyword.startsWith("x-") || ANNOTATIONS[this.#dialect].has(keyword);
    if (this.#dialect === "draft-07") {
      return withAnnotations(target, filterKeys(beside, isAnnotation));
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

function filterKeys(object: JsonObject, isKept: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => isKept(key)));
}
