import type { Json, JsonObject } from "../contract.js";

/** Places in values of which the constraints of one schema decide, whatever stands elsewhere. */

/** A place in values, where one schema that holds nothing but plain constraints decides what may stand. */
export interface PlainPlace {
  readonly schema: JsonObject;
  /** JSON pointer of the schema. */
  readonly pointer: string;
  /** The names and indexes that lead to the place. */
  readonly path: readonly (string | number)[];
  /** The accepted values that have the place, and what stands there in each; at least one. */
  readonly wholes: readonly Json[];
  readonly found: readonly Json[];
  /** The alternatives of a union, where the schema is that or one of them. */
  readonly union?: readonly JsonObject[];
}

/** The places that plain constraints describe, in values that the schema accepts. */
export function plainPlaces(schema: JsonObject, accepted: readonly Json[]): PlainPlace[] {
  const places: PlainPlace[] = [];
  addPlaces({ schema, pointer: "", path: [], wholes: accepted, found: accepted }, places);
  return places;
}

function addPlaces(place: PlainPlace, places: PlainPlace[]): void {
  const { schema, found } = place;
  if (found.length === 0) return;
  if (!isPlain(schema)) return addAlternatives(place, places);
  places.push(place);
  // A choice is about the whole value: another member breaks it too.
  if (has(schema, CHOICES)) return;
  const { properties, items } = schema;
  if (isObject(items)) addPlaces(placeWithin(place, items, "/items", 0), places);
  if (!isObject(properties)) return;
  for (const name of Object.keys(properties)) {
    const member = properties[name];
    if (!isObject(member)) continue;
    addPlaces(placeWithin(place, member, `/properties${segment(name)}`, name), places);
  }
}

/** Each alternative decides of the values of its type, if no two of them are of the same. */
function addAlternatives(place: PlainPlace, places: PlainPlace[]): void {
  const { schema, pointer, wholes, found } = place;
  const keyword = UNIONS.find((name) => schema[name] !== undefined) ?? "";
  const union = schema[keyword];
  if (!Array.isArray(union) || !union.every(isObject) || !isPlainUnion(schema, union)) return;
  places.push({ ...place, union });
  for (const [number, alternative] of union.entries()) {
    const [type = ""] = typesOf(alternative);
    const isOwn = (_whole: Json, index: number): boolean => hasType(found[index] ?? null, type);
    const own = { wholes: wholes.filter(isOwn), found: found.filter(isOwn) };
    const inner = { ...place, ...own, pointer: `${pointer}/${keyword}/${number}` };
    addPlaces({ ...inner, schema: alternative, union }, places);
  }
}

function isPlainUnion(schema: JsonObject, union: readonly JsonObject[]): boolean {
  const types = union.flatMap(typesOf).map((type) => (type === "integer" ? "number" : type));
  return (
    Object.keys(schema).filter((keyword) => !isAnnotation(keyword)).length === 1 &&
    union.every((one) => isPlain(one) && isAboutItsType(one)) &&
    new Set(types).size === union.length
  );
}

function placeWithin(
  outer: PlainPlace,
  schema: JsonObject,
  pointer: string,
  step: string | number,
): PlainPlace {
  const wholes: Json[] = [];
  const found: Json[] = [];
  outer.found.forEach((value, index) => {
    const member = memberOf(value, step);
    if (member === undefined) return;
    found.push(member);
    wholes.push(outer.wholes[index] ?? null);
  });
  const path = [...outer.path, step];
  return { schema, pointer: outer.pointer + pointer, path, wholes, found };
}

/** Keywords that hold alternatives, and those that hold the only values that are allowed. */
export const UNIONS = ["anyOf", "oneOf"];
export const CHOICES = ["enum", "const"];

const words = (text: string): readonly string[] => text.split(" ");

/** By type, the keywords that only values of the type must fit. */
export const ABOUT_TYPE: Readonly<Record<string, readonly string[]>> = {
  number: words("minimum maximum exclusiveMinimum exclusiveMaximum multipleOf"),
  string: words("minLength maxLength pattern"),
  array: words("minItems maxItems uniqueItems items"),
  object: words("minProperties maxProperties required properties additionalProperties"),
};

/** The keywords of schemas that say of a place what may stand there, whatever stands elsewhere. */
const PLAIN: ReadonlySet<string> = new Set([
  "type",
  "format",
  ...CHOICES,
  ...Object.values(ABOUT_TYPE).flat(),
]);

/** Keywords that refuse nothing. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...words("$schema $comment $defs definitions title description default examples deprecated"),
  ...words("readOnly writeOnly contentEncoding contentMediaType contentSchema enumNames"),
]);

function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith("x-");
}

function isPlain(schema: JsonObject): boolean {
  for (const keyword of Object.keys(schema)) {
    if (!PLAIN.has(keyword) && !isAnnotation(keyword)) return false;
  }
  const { properties, items } = schema;
  if (Array.isArray(items)) return false;
  return !isObject(properties) || !Object.hasOwn(properties, "__proto__");
}

/** What an object has under a name, or an array at an index. */
export function memberOf(value: Json, step: string | number): Json | undefined {
  if (typeof step === "number") return Array.isArray(value) ? value[step] : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

/** Whether a schema has one type and, beside that, only keywords for values of it. */
function isAboutItsType(schema: JsonObject): boolean {
  const types = typesOf(schema).map((type) => (type === "integer" ? "number" : type));
  const foreign = Object.entries(ABOUT_TYPE).filter(([type]) => !types.includes(type));
  const isForeign = foreign.some(([, keywords]) => has(schema, keywords));
  return types.length === 1 && !has(schema, CHOICES) && !isForeign;
}

/** The types that a schema names. */
export function typesOf({ type }: JsonObject): readonly string[] {
  if (typeof type === "string") return [type];
  return Array.isArray(type) ? type.filter((name) => typeof name === "string") : [];
}

/** The type of a value, of which "integer" is none. */
export function typeOf(value: Json): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

export function hasType(value: Json, type: string): boolean {
  return type === "integer" ? Number.isInteger(value) : typeOf(value) === type;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a schema has one of these keywords. */
export function has(schema: JsonObject, keywords: readonly string[]): boolean {
  for (const keyword of keywords) if (schema[keyword] !== undefined) return true;
  return false;
}

/** A segment of a JSON pointer. */
export function segment(name: string | number): string {
  if (typeof name === "number" || !/[~/]/.test(name)) return `/${name}`;
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
