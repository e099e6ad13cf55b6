import type { JsonSchema, JsonValue } from "../../model/json.js";
import { readArray } from "./array-keywords.js";
import type { KeywordReader } from "./keyword-reader.js";
import { listedNames, onlyProperties, readObject } from "./object-keywords.js";
import { union } from "./type-algebra.js";
import {
  ANY,
  arrayType,
  literalType,
  NEVER,
  objectType,
  SCALAR_KINDS,
  scalarType,
  type ScalarKind,
  type Type,
} from "./type-model.js";

/** What `type`, `enum`, `const` and the keywords of arrays and objects say, each by itself. */
export function ownTypes(
  keywords: KeywordReader,
  typeOf: (schema: JsonSchema) => Type,
): readonly Type[] {
  const types = [typeByKind(keywords, typeOf)];
  const constant = keywords.value("const");
  if (constant !== undefined) types.push(literalType(constant));
  const listed = keywords.value("enum");
  if (Array.isArray(listed)) types.push(union(listed.map(literalType)));
  const names = listedNames(keywords);
  if (names !== undefined) types.push({ ...ANY, objects: [onlyProperties(names, NEVER)] });
  return types;
}

/** `anyOf` and `oneOf`: that only one alternative of `oneOf` may hold cannot be said. */
export function choiceTypes(
  keywords: KeywordReader,
  typeOf: (schema: JsonSchema) => Type,
): readonly Type[] {
  return ["anyOf", "oneOf"]
    .map((name) => keywords.schemas(name))
    .filter((alternatives) => alternatives.length > 0)
    .map((alternatives) => union(alternatives.map(typeOf)));
}

/** Where a schema has no `type`, its keywords constrain the kinds of value they are about and let the others pass. */
function typeByKind(keywords: KeywordReader, typeOf: (schema: JsonSchema) => Type): Type {
  const sole = scalarKindNamed(keywords.value("type"));
  if (sole !== undefined) return scalarType(sole, "every");
  const names = typeNames(keywords);
  const allows = (name: string): boolean => names.size === 0 || names.has(name);
  const scalars = SCALAR_KINDS.filter(
    (kind) => allows(kind) || (kind === "number" && names.has("integer")),
  );
  const array = allows("array") ? readArray(keywords, typeOf) : undefined;
  const object = allows("object") ? readObject(keywords, typeOf) : undefined;
  return union([
    ...scalars.map((kind) => scalarType(kind, "every")),
    ...(array ? [arrayType(array)] : []),
    ...(object ? [objectType(object)] : []),
  ]);
}

/** What a `type` that names one kind of scalar allows. */
function scalarKindNamed(type: JsonValue | undefined): ScalarKind | undefined {
  return type === "integer" ? "number" : SCALAR_KINDS.find((kind) => kind === type);
}

/** The names under `type`; none where the keyword is absent. */
export function typeNames(keywords: KeywordReader): ReadonlySet<string> {
  const type = keywords.value("type");
  return new Set(typeof type === "string" ? [type] : keywords.strings("type"));
}
