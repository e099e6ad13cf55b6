import { detailOf, messageOf } from "./constraint-messages.js";
import type { Json, JsonObject } from "../contract.js";
import {
  ABOUT_TYPE,
  CHOICES,
  has,
  hasType,
  isObject,
  memberOf,
  plainPlaces,
  segment,
  typeOf,
  typesOf,
  UNIONS,
  type PlainPlace,
} from "./places.js";

/**
 * Most constraints of most schemas show by themselves which values break them and nothing else: one character
 * more than `maxLength`, one less than `minimum`. Values for these are made here, of the values that the schema
 * accepts; for the other constraints, the contract holds them.
 */

/** A value that breaks one constraint of a schema and no other, and what is found of it. */
export interface BrokenValue {
  /** JSON pointer of the constraint in the schema: `/properties/days/maximum`, `/required/0`. */
  readonly breaks: string;
  readonly value: Json;
  /** JSON pointer of the place in the value. */
  readonly path: string;
  readonly keyword: string;
  /** What callers are told, without the place; after it come details. */
  readonly message: string;
  readonly detail: string;
}

/** What breaks a constraint where it stands. */
interface Broken {
  readonly value: Json;
  /** The entry of the keyword, where that holds several. */
  readonly entry?: number;
  /** What the message is about, if not the keyword's own value. */
  readonly about?: string;
}

/**
 * A value for each constraint of a schema that shows how it is broken.
 *
 * @param accepted values that the schema accepts
 */
export function* plainBreaks(
  schema: JsonObject,
  accepted: readonly Json[],
): Generator<BrokenValue> {
  for (const place of plainPlaces(schema, accepted)) {
    const [whole = null] = place.wholes;
    const path = place.path.map(segment).join("");
    for (const constraint of Object.keys(place.schema)) {
      const { keyword, stated } = saidOf(place, constraint);
      for (const { value, entry, about } of brokenAt(place, constraint)) {
        yield {
          breaks: `${place.pointer}/${constraintName(constraint, entry)}`,
          value: replaced(whole, place.path, value),
          path,
          keyword,
          message: messageOf(keyword, stated, about),
          detail: detailOf(keyword, stated, about),
        };
      }
    }
  }
}

/** The keyword that callers are told of, with its value: of a value that is of no type of a union, all the types. */
function saidOf(
  { schema, union }: PlainPlace,
  constraint: string,
): { readonly keyword: string; readonly stated: Json } {
  if (union === undefined || !["type", ...UNIONS].includes(constraint)) {
    return { keyword: constraint, stated: schema[constraint] ?? null };
  }
  return { keyword: "type", stated: union.flatMap(typesOf).join(" or ") };
}

/** Values that break just this keyword at a place, the most telling first; none where that is hard to tell. */
function brokenAt(place: PlainPlace, keyword: string): readonly Broken[] {
  const { schema, found, union } = place;
  if (union !== undefined && UNIONS.includes(keyword)) return mistyped(union, found);
  const others = OTHERS[keyword];
  if (others === undefined || has(schema, others)) return [];
  if (keyword === "type") return mistyped(union ?? [schema], found);
  return BREAKERS[keyword]?.(schema, found) ?? [];
}

/** The constraints for which there are such values at a place: keywords, and their entries as `required/0`. */
export function brokenConstraints(place: PlainPlace): ReadonlySet<string> {
  const names = new Set<string>();
  for (const keyword of Object.keys(place.schema)) {
    for (const { entry } of brokenAt(place, keyword)) names.add(constraintName(keyword, entry));
  }
  return names;
}

/** A constraint among those of its schema. */
export function constraintName(keyword: string, entry?: string | number): string {
  return entry === undefined ? keyword : `${keyword}/${entry}`;
}

/** @param found what stands at the place in accepted values */
type Breaker = (schema: JsonObject, found: readonly Json[]) => readonly Broken[];

const BREAKERS: Readonly<Record<string, Breaker>> = {
  enum: unlikeChoices,
  minLength: ({ type, minLength }) =>
    type === "string" && isLength(minLength) && minLength > 0 ? one(textOf(minLength - 1)) : [],
  maxLength: ({ type, maxLength }) =>
    type === "string" && isLength(maxLength) ? one(textOf(maxLength + 1)) : [],
  minimum: (schema, found) => beyond(schema, found, "minimum", (bound) => Math.ceil(bound) - 1),
  maximum: (schema, found) => beyond(schema, found, "maximum", (bound) => Math.floor(bound) + 1),
  exclusiveMinimum: (schema, found) => beyond(schema, found, "exclusiveMinimum", Math.floor),
  exclusiveMaximum: (schema, found) => beyond(schema, found, "exclusiveMaximum", Math.ceil),
  format: ({ type, format }) =>
    type === "string" ? (UNFORMATTED.get(String(format)) ?? []).map((value) => ({ value })) : [],
  minItems: ({ minItems }, found) => tooFew(minItems, found),
  maxItems: ({ maxItems }, found) => tooMany(maxItems, found),
  required: withoutRequired,
  additionalProperties: withUnexpected,
};

const ABOUT_TEXT = ABOUT_TYPE["string"] ?? [];

/** Keywords beside which it is hard to tell whether a value breaks one keyword alone. */
const OTHERS: Readonly<Record<string, readonly string[]>> = {
  type: CHOICES,
  enum: ["const", "format", ...ABOUT_TEXT],
  minLength: ["pattern", "format", ...CHOICES],
  maxLength: ["pattern", "format", ...CHOICES],
  minimum: ["exclusiveMinimum", "multipleOf", ...CHOICES],
  maximum: ["exclusiveMaximum", "multipleOf", ...CHOICES],
  exclusiveMinimum: ["minimum", "multipleOf", ...CHOICES],
  exclusiveMaximum: ["maximum", "multipleOf", ...CHOICES],
  format: [...CHOICES, ...ABOUT_TEXT],
  minItems: CHOICES,
  maxItems: ["uniqueItems", ...CHOICES],
  required: ["minProperties", ...CHOICES],
  additionalProperties: ["maxProperties", ...CHOICES],
};

const one = (value: Json): readonly Broken[] => [{ value }];

/** Longer texts and lists would make tests slow, and a server may refuse arguments of very many values as such. */
const LONGEST_TEXT = 20_000;
const LONGEST_LIST = 200;
const MOST_VALUES = 2_000;

const textOf = (length: number): string => "text".padEnd(length, "a").slice(0, length);

function isLength(value: Json | undefined): value is number {
  return Number.isInteger(value) && Number(value) < LONGEST_TEXT;
}

/** What a careless check of a type lets pass: texts of numbers, `null`, lists for objects. */
const MISTYPED: Readonly<Record<string, readonly Json[]>> = {
  string: [1.5, null],
  number: ["1", null],
  integer: ["1", null],
  boolean: ["true", 0],
  null: ["text", 0],
  array: [{}, "text"],
  object: [[], null],
};

/** How many values are tried of those that have another type. */
const MOST_MISTYPED = 2;

/** @param schemas the alternatives, of which a value is to fit the type of none */
function mistyped(schemas: readonly JsonObject[], found: readonly Json[]): readonly Broken[] {
  const types = schemas.flatMap(typesOf);
  const broken: Broken[] = [];
  for (const type of types) {
    const number = type === "integer" ? found.find(isNumber) : undefined;
    const candidates = MISTYPED[type] ?? [];
    for (const value of number === undefined ? candidates : [number + 0.5, ...candidates]) {
      if (types.some((other) => hasType(value, other))) continue;
      if (!schemas.every((schema) => isOtherwiseValid(schema, value))) continue;
      if (broken.push({ value }) === MOST_MISTYPED) return broken;
    }
  }
  return broken;
}

/** Whether a value breaks no keyword for values of its type. */
function isOtherwiseValid(schema: JsonObject, value: Json): boolean {
  if (isNumber(value)) return isWithin(schema, value);
  if (typeof value === "string" && schema["format"] !== undefined) return false;
  return !has(schema, ABOUT_TYPE[typeOf(value)] ?? []);
}

/** Whether no keyword for numbers refuses one; none may be there that is not about its size. */
function isWithin(schema: JsonObject, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  return (
    multipleOf === undefined &&
    !NUMBER_FORMATS.includes(format ?? null) &&
    value >= Number(minimum ?? -Infinity) &&
    value <= Number(maximum ?? Infinity) &&
    value > Number(exclusiveMinimum ?? -Infinity) &&
    value < Number(exclusiveMaximum ?? Infinity)
  );
}

function unlikeChoices(schema: JsonObject): readonly Broken[] {
  const choices = schema["enum"];
  const types = typesOf(schema);
  const first = Array.isArray(choices) && choices.find((choice) => typeof choice === "string");
  if (!first || (types.length > 0 && !types.includes("string"))) return [];
  let unlike = `not ${String(first)}`;
  while (choices.includes(unlike)) unlike = `not ${unlike}`;
  return one(unlike);
}

/** Formats of numbers, and how far numbers go that have any of them. */
const NUMBER_FORMATS: readonly Json[] = ["int32", "int64", "float", "double"];
const LARGEST_FORMATTED = 2 ** 31 - 1;
/** Farther out, whole numbers are no longer next to each other. */
const LARGEST = 1e15;

/** @param whole the whole number next to a bound, on the side where it is broken */
function beyond(
  schema: JsonObject,
  found: readonly Json[],
  keyword: string,
  whole: (bound: number) => number,
): readonly Broken[] {
  const bound = schema[keyword];
  const { format } = schema;
  // Where no number fits, one breaks several bounds.
  if (!isNumber(bound) || !found.some(isNumber)) return [];
  if (format !== undefined && !NUMBER_FORMATS.includes(format)) return [];
  const isBoundBroken = keyword.startsWith("exclusive") && typesOf(schema).includes("number");
  const value = isBoundBroken ? bound : whole(bound);
  if (format === undefined) return Math.abs(value) < LARGEST ? one(value) : [];
  // Some formats are of whole numbers only.
  return Number.isInteger(value) && Math.abs(value) < LARGEST_FORMATTED ? one(value) : [];
}

const NO_FORMAT = "not this";

/** Texts without a format; some of them a careless check would let pass. */
export const UNFORMATTED: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    date: ["2023-02-29", "2023-04-31", "2023-01-32", "2023-13-01", "2023-00-01", "2023-01-00"],
    "date-time": ["2023-02-29T09:30:00Z", "2023-01-15T24:00:00Z", "2023-01-15T09:30:00"],
    time: ["24:00:00Z", "09:60:00Z", "09:30:00"],
    duration: ["P", "P1S"],
    email: ["ada@", "ada.example.com"],
    hostname: ["-example.com", "example..com"],
    ipv4: ["192.0.2.256", "192.0.2"],
    ipv6: ["2001:db8:::1", "2001:db8::12345"],
    uri: ["example.com", "https://example.com/a b"],
    url: ["example.com", "https://example.com/a b"],
    uuid: ["123e4567-e89b-12d3-a456-42661417400", "123e4567-e89b-12d3-a456-42661417400g"],
  }).map(([format, texts]) => [format, [NO_FORMAT, ...texts]]),
);

function tooFew(least: Json | undefined, found: readonly Json[]): readonly Broken[] {
  const list = longest(found);
  return isLength(least) && least > 0 && list ? one(list.slice(0, least - 1)) : [];
}

function tooMany(most: Json | undefined, found: readonly Json[]): readonly Broken[] {
  if (!isLength(most) || most >= LONGEST_LIST) return [];
  const items = found.filter(Array.isArray).flatMap((list: Json[]) => list.slice(0, 1));
  const sized = items.map((item) => ({ item, size: sizeOf(item) }));
  const [smallest] = sized.sort((left, right) => left.size - right.size);
  if (smallest === undefined || smallest.size * (most + 1) > MOST_VALUES) return [];
  return one(Array.from({ length: most + 1 }, () => smallest.item));
}

/** How many values a value is made of. */
function sizeOf(value: Json): number {
  const members = typeof value === "object" && value !== null ? Object.values(value) : [];
  return members.reduce((size: number, member) => size + sizeOf(member), 1);
}

function longest(found: readonly Json[]): Json[] | undefined {
  return found.filter(Array.isArray).sort((left, right) => right.length - left.length)[0];
}

function withoutRequired({ required }: JsonObject, found: readonly Json[]): readonly Broken[] {
  const object = found.find(isObject);
  if (object === undefined || !Array.isArray(required)) return [];
  return required.flatMap((name, entry) => {
    if (typeof name !== "string" || !Object.hasOwn(object, name)) return [];
    const { [name]: _left, ...value } = object;
    return [{ value, entry, about: name }];
  });
}

function withUnexpected(
  { properties = {}, additionalProperties }: JsonObject,
  found: readonly Json[],
): readonly Broken[] {
  const object = found.find(isObject);
  if (object === undefined || additionalProperties !== false) return [];
  let name = "unexpected";
  while (Object.hasOwn(properties as JsonObject, name)) name += "_";
  return [{ value: { ...object, [name]: true }, about: name }];
}

/** A copy of a value with another one at a place. */
function replaced(whole: Json, path: PlainPlace["path"], value: Json, depth = 0): Json {
  const step = path[depth];
  if (step === undefined) return value;
  const inner = replaced(memberOf(whole, step) ?? null, path, value, depth + 1);
  if (Array.isArray(whole)) return whole.map((item, index) => (index === step ? inner : item));
  return { ...(whole as JsonObject), [step]: inner };
}

function isNumber(value: Json | undefined): value is number {
  return typeof value === "number";
}
