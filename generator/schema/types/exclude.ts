import { isJsonObject, type JsonSchema } from "../../model/json.js";
import { KEYWORDS } from "../keywords/index.js";
import { KeywordReader } from "./keyword-reader.js";
import type { SchemaScope } from "./definition.js";
import { typeNames } from "./own-types.js";
import { union, type Intersections } from "./type-algebra.js";
import {
  isNever,
  literalType,
  NEVER,
  propertyType,
  type ObjectType,
  type ScalarKind,
  type ScalarSet,
  type Type,
} from "./type-model.js";

/** What is needed to read the schema that is taken away. */
export interface ExclusionContext {
  readonly scope: SchemaScope;
  readonly intersections: Intersections;
  readonly typeOf: (schema: JsonSchema) => Type;
}

/** Keywords that take no part in validation. */
const ANNOTATIONS: ReadonlySet<string> = new Set(
  "$schema $comment $anchor $dynamicAnchor $defs definitions title description default examples readOnly writeOnly deprecated".split(
    " ",
  ),
);

/**
 * The values of a type that a schema refuses (`not`, or the way to an `else`). Only what the schema
 * surely accepts may go, so schemas that its type describes just roughly take nothing away.
 */
export function exclude(type: Type, schema: JsonSchema, context: ExclusionContext): Type {
  if (!isJsonObject(schema)) return schema ? NEVER : type;
  const constraints = Object.keys(schema).filter(
    (name) => KEYWORDS.has(name) && !ANNOTATIONS.has(name),
  );
  const keywords = new KeywordReader(schema, context.scope.dialect);
  const [only, ...others] = constraints;
  if (only === undefined) return NEVER;
  if (others.length === 0) return excludeKeyword(type, only, keywords, context);
  const isObject = constraints.every((name) => ["type", "properties", "required"].includes(name));
  return isObject ? excludeObjects(type, keywords, context) : type;
}

function excludeKeyword(
  type: Type,
  name: string,
  keywords: KeywordReader,
  context: ExclusionContext,
): Type {
  switch (name) {
    case "type":
      return excludeKinds(context.intersections.open(type), typeNames(keywords));
    case "const":
    case "enum":
      return excludeLiterals(context.intersections.open(type), keywords);
    case "anyOf":
      return keywords
        .schemas("anyOf")
        .reduce((rest, schema) => exclude(rest, schema, context), type);
    case "not":
      return context.intersections.both(type, context.typeOf(keywords.schema("not") ?? true));
    case "properties":
    case "required":
      return excludeObjects(type, keywords, context);
    default:
      return type;
  }
}

/** `integer` takes nothing away: the type of numbers cannot say "with a fraction". */
function excludeKinds(type: Type, names: ReadonlySet<string>): Type {
  const without: Type = {
    scalars: new Map([...type.scalars].filter(([kind]) => !names.has(kind))),
    arrays: names.has("array") ? [] : type.arrays,
    objects: names.has("object") ? [] : type.objects,
    named: type.named,
  };
  return partsOf(without) === partsOf(type) ? type : without;
}

const partsOf = ({ scalars, arrays, objects }: Type): number =>
  scalars.size + arrays.length + objects.length;

function excludeLiterals(type: Type, keywords: KeywordReader): Type {
  const constant = keywords.value("const");
  const listed = keywords.value("enum");
  const values = constant === undefined ? (Array.isArray(listed) ? listed : []) : [constant];
  const gone = union(values.map(literalType)).scalars;
  const scalars = new Map(type.scalars);
  for (const [kind, set] of type.scalars) {
    const rest = excludeSet(kind, set, gone.get(kind));
    if (rest === "every" || rest.size > 0) scalars.set(kind, rest);
    else scalars.delete(kind);
  }
  const isSame = [...type.scalars].every(([kind, set]) => scalars.get(kind) === set);
  return isSame ? type : { ...type, scalars };
}

const BOOLEANS: ReadonlySet<string> = new Set(["true", "false"]);
const NONE: ReadonlySet<string> = new Set();

function excludeSet(kind: ScalarKind, set: ScalarSet, gone: ScalarSet = NONE): ScalarSet {
  if (gone === "every") return NONE;
  const listed = set === "every" && kind === "boolean" ? BOOLEANS : set;
  if (listed === "every" || gone.size === 0) return set;
  return new Set([...listed].filter((literal) => !gone.has(literal)));
}

/** Takes away objects with one property of a given type; more than one would need a choice for each. */
function excludeObjects(type: Type, keywords: KeywordReader, context: ExclusionContext): Type {
  const names = typeNames(keywords);
  const properties = keywords.schemaMap("properties");
  const required = keywords.strings("required");
  const [key, ...others] = new Set([...properties.keys(), ...required]);
  const isSimple = key !== undefined && others.length === 0;
  const isOfObjects = names.size === 0 || (names.size === 1 && names.has("object"));
  if (!isSimple || !isOfObjects) return type;

  const opened = context.intersections.open(type);
  const unwanted = { key, schema: properties.get(key) ?? true, mayBeAbsent: required.length > 0 };
  const objects = opened.objects.flatMap((object) => excludeProperty(object, unwanted, context));
  // Without `type` the schema accepts all that is no object.
  const kept = names.size === 0 ? NEVER : opened;
  return { ...kept, objects, named: opened.named };
}

interface UnwantedProperty {
  readonly key: string;
  readonly schema: JsonSchema;
  /** Whether an object without the property stays. */
  readonly mayBeAbsent: boolean;
}

function excludeProperty(
  object: ObjectType,
  { key, schema, mayBeAbsent }: UnwantedProperty,
  context: ExclusionContext,
): ObjectType[] {
  const type = exclude(propertyType(object, key), schema, context);
  const known = object.properties.get(key);
  const required = (known?.required ?? false) || !mayBeAbsent;
  if (isNever(type) && required) return [];
  const isSame = type === known?.type && required === known.required;
  if (isSame || (type === object.rest && known === undefined && !required)) return [object];
  const documented = known?.schema === undefined ? {} : { schema: known.schema };
  const properties = new Map(object.properties).set(key, { type, required, ...documented });
  return [{ ...object, properties }];
}
