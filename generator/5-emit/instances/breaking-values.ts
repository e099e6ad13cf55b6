import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import { isJsonSchema } from "../../schema/json-schema.js";
import { FORMAT_CHECKS } from "../../schema/formats/format-checks.js";
import { MAXIMUM_ITEMS, type InstanceBuilder } from "./instance-builder.js";
import { itemSchemas, namesIn, schemaList } from "./places.js";
import { MAXIMUM_STRING, nearMisses, oddStrings } from "./string-values.js";
import { TYPICAL } from "./wish.js";

/** A place in a valid value, and the schemas that speak about it. */
export interface Site {
  readonly schemas: readonly JsonObject[];
  /** The value that stands there now. */
  readonly value: JsonValue;
}

/** One constraint: a keyword of a schema, or one entry of `required` and `dependentRequired`. */
export interface Constraint {
  readonly schema: JsonObject;
  readonly keyword: string;
  /** The entry, where the keyword holds several. */
  readonly entry?: string | number;
}

/** For keywords with a bound: what a value fulfils that breaks just that. */
const OPPOSITES: Readonly<Record<string, (bound: number) => JsonObject>> = {
  minimum: (bound) => ({ exclusiveMaximum: bound }),
  maximum: (bound) => ({ exclusiveMinimum: bound }),
  exclusiveMinimum: (bound) => ({ maximum: bound }),
  exclusiveMaximum: (bound) => ({ minimum: bound }),
  minLength: (bound) => ({ type: "string", maxLength: bound - 1 }),
  maxLength: (bound) => ({ type: "string", minLength: bound + 1 }),
  minItems: (bound) => ({ type: "array", maxItems: bound - 1 }),
  maxItems: (bound) => ({ type: "array", minItems: bound + 1 }),
  minProperties: (bound) => ({ type: "object", maxProperties: bound - 1 }),
  maxProperties: (bound) => ({ type: "object", minProperties: bound + 1 }),
};

/** One value of each type, and a few more. */
const VALUES_OF_ALL_TYPES: readonly JsonValue[] = ["text", 1.5, 0, true, null, {}, [], 1e6, "", -1];

const REFUSING_KEYWORDS = [
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "additionalItems",
  "unevaluatedItems",
];

/** The constraints that a schema states itself, without those of its subschemas and the empty ones. */
export function constraintsOf(schema: JsonObject): Constraint[] {
  const constraints: Constraint[] = [];
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword] ?? null;
    if (keyword === "required") {
      for (const entry of namesIn(value).keys()) constraints.push({ schema, keyword, entry });
    } else if (keyword === "dependentRequired" && isJsonObject(value)) {
      for (const entry of Object.keys(value)) constraints.push({ schema, keyword, entry });
    } else if (isConstraint(keyword, value)) {
      constraints.push({ schema, keyword });
    }
  }
  return constraints;
}

/** Whether every value that breaks a `type` breaks the `enum` or `const` beside it too. */
export function isImpliedType({ schema, keyword }: Constraint): boolean {
  if (keyword !== "type") return false;
  const fixed = Object.hasOwn(schema, "const") ? [schema["const"]] : schema["enum"];
  if (!Array.isArray(fixed)) return false;
  const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  return fixed.every((value) => types.some((type) => hasType(value, type)));
}

/** Whether only a longer value would break a constraint than are made. */
export function isBeyondReach({ schema, keyword }: Constraint): boolean {
  switch (keyword) {
    case "maxLength":
      return Number(schema[keyword]) >= MAXIMUM_STRING;
    case "maxItems":
    case "maxProperties":
      return Number(schema[keyword]) >= MAXIMUM_ITEMS;
    default:
      return false;
  }
}

function hasType(value: JsonValue | undefined, type: JsonValue | undefined): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  return type === "object" ? isJsonObject(value) : typeof value === type;
}

function isConstraint(keyword: string, value: JsonValue): boolean {
  if (!Object.hasOwn(OPPOSITES, keyword) && !Object.hasOwn(CANDIDATES, keyword)) return false;
  switch (keyword) {
    case "minLength":
    case "minItems":
    case "minProperties":
      return typeof value === "number" && value > 0;
    case "format":
      return FORMAT_CHECKS.has(String(value));
    case "uniqueItems":
      return value === true;
    default:
      return !REFUSING_KEYWORDS.includes(keyword) || value === false;
  }
}

/** Further values that tell whether a constraint is checked with care; each is worth a test of its own. */
export function tellingValues({ value }: Site, { schema, keyword }: Constraint): readonly string[] {
  if (keyword !== "format" || typeof value !== "string") return [];
  return nearMisses(String(schema["format"]));
}

type CandidateMaker = (
  site: Site,
  constraint: Constraint,
  builder: InstanceBuilder,
) => Iterable<JsonValue | undefined>;

/** Values that might break a constraint where it stands, the most telling first; undefined for failed attempts. */
export function breakingCandidates(
  site: Site,
  constraint: Constraint,
  builder: InstanceBuilder,
): Iterable<JsonValue | undefined> {
  const maker = Object.hasOwn(OPPOSITES, constraint.keyword)
    ? oppositeValues
    : CANDIDATES[constraint.keyword];
  return maker?.(site, constraint, builder) ?? [];
}

/** The schemas of a site with the constraint taken out. */
function relaxed(site: Site, { schema, keyword }: Constraint): JsonObject[] {
  const { [keyword]: _removed, ...rest } = schema;
  return [...site.schemas.filter((other) => other !== schema), rest];
}

function* oppositeValues(
  site: Site,
  constraint: Constraint,
  builder: InstanceBuilder,
): Generator<JsonValue | undefined> {
  const bound = constraint.schema[constraint.keyword];
  const opposite = OPPOSITES[constraint.keyword];
  if (typeof bound !== "number" || opposite === undefined) return;
  const schemas = relaxed(site, constraint);
  const isUpper = /max/i.test(constraint.keyword);
  // The nearest value beyond the bound tells most, and is the one that a wrong comparison lets pass.
  for (const end of isUpper ? (["low", "high"] as const) : (["high", "low"] as const)) {
    for (const properties of ["required", "all"] as const) {
      yield builder.buildFrom(schemas, [opposite(bound)], { ...TYPICAL, bound: end, properties });
    }
  }
}

const CANDIDATES: Readonly<Record<string, CandidateMaker>> = {
  type: ({ value }) => [
    ...(typeof value === "number" ? [value + 0.5, String(value)] : []),
    ...VALUES_OF_ALL_TYPES,
    [value],
  ],
  enum: (site, constraint, builder) => [...unlike(site, constraint, builder)],
  const: (site, constraint, builder) => [...unlike(site, constraint, builder)],
  multipleOf: ({ value }, { schema }) => {
    const step = Number(schema["multipleOf"]);
    const parts = [step / 2, step / 3, step / 10, -step / 2, 1, 2, 3, -1, 0.5];
    return typeof value === "number" ? parts.map((part) => value + part) : [];
  },
  pattern: oddValues,
  format: oddValues,
  required: ({ value }, { schema, entry }) => {
    const name = namesIn(schema["required"])[Number(entry)];
    return isJsonObject(value) && name !== undefined ? [withoutKey(value, name)] : [];
  },
  dependentRequired: withoutDependents,
  additionalProperties: withFurtherProperty,
  unevaluatedProperties: withFurtherProperty,
  propertyNames: withOddProperty,
  items: withFurtherItem,
  additionalItems: withFurtherItem,
  unevaluatedItems: withFurtherItem,
  uniqueItems: ({ value }) => {
    if (!Array.isArray(value) || value[0] === undefined) return [];
    return [value.with(value.length - 1, value[0]), [value[0], ...value]];
  },
  contains: withoutContained,
  minContains: withContained,
  maxContains: withContained,
  not: (site, constraint, builder) => {
    const forbidden = constraint.schema["not"];
    return isJsonSchema(forbidden) ? builtWith(builder, relaxed(site, constraint), forbidden) : [];
  },
  anyOf: (site, constraint, builder) => [...unlike(site, constraint, builder)],
  oneOf: (site, constraint, builder) => [
    ...severalBranches(site, constraint, builder),
    ...unlike(site, constraint, builder),
  ],
};

/** Values for the other constraints of the place, of the same type first. */
function* unlike(
  site: Site,
  constraint: Constraint,
  builder: InstanceBuilder,
): Generator<JsonValue | undefined> {
  const schemas = relaxed(site, constraint);
  const { value } = site;
  if (typeof value === "string") yield* [`not ${value}`, ...oddStrings(value)];
  if (typeof value === "number") yield* [value + 1, value - 1, value + 0.5, value + 1000];
  if (typeof value === "boolean") yield !value;
  for (let seed = 0; seed < 4; seed += 1)
    yield builder.buildFrom(schemas, [], { ...TYPICAL, seed });
  yield* VALUES_OF_ALL_TYPES;
}

function* builtWith(
  builder: InstanceBuilder,
  inForce: readonly JsonObject[],
  further: JsonSchema,
): Generator<JsonValue | undefined> {
  for (const properties of ["required", "all"] as const) {
    for (let alternative = 0; alternative < 3; alternative += 1) {
      const wish = { ...TYPICAL, bound: "low", properties, alternative } as const;
      yield builder.buildFrom(inForce, [further], wish);
    }
  }
}

/** Values for two branches of a `oneOf` at once. */
function* severalBranches(
  site: Site,
  constraint: Constraint,
  builder: InstanceBuilder,
): Generator<JsonValue | undefined> {
  const branches = schemaList(constraint.schema["oneOf"]).slice(0, 4);
  const others = relaxed(site, constraint);
  for (const [index, branch] of branches.entries()) {
    for (const other of branches.slice(index + 1)) {
      yield builder.buildFrom(others, [branch, other], { ...TYPICAL, properties: "required" });
    }
  }
}

function* oddValues(
  site: Site,
  constraint: Constraint,
  builder: InstanceBuilder,
): Generator<JsonValue | undefined> {
  const { value } = site;
  if (typeof value === "string") yield* oddStrings(value);
  const rest = relaxed(site, constraint);
  for (const bound of ["low", "high", "typical"] as const) {
    yield builder.buildFrom(rest, [{ type: "string" }], { ...TYPICAL, bound, name: "not this" });
  }
}

function withoutDependents(
  site: Site,
  { schema, entry }: Constraint,
  builder: InstanceBuilder,
): (JsonValue | undefined)[] {
  const map = schema["dependentRequired"];
  const name = String(entry);
  if (!isJsonObject(map) || !isJsonObject(site.value)) return [];
  const whole = builder.buildFrom(site.schemas, [{ type: "object", required: [name] }], {
    ...TYPICAL,
    properties: "required",
  });
  const base = { ...(isJsonObject(whole) ? whole : {}), ...site.value };
  return namesIn(map[name]).map((dependent) => withoutKey(base, dependent));
}

const ODD_NAMES = ["unexpected", "notDeclared", "x", "0", "!", "", "Un Expected", "_", "UPPER"];

function withFurtherProperty({ value }: Site): JsonValue[] {
  if (!isJsonObject(value)) return [];
  const names = ODD_NAMES.filter((name) => !Object.hasOwn(value, name));
  return names.map((name) => ({ ...value, [name]: true }));
}

function* withOddProperty(site: Site): Generator<JsonValue> {
  const { value } = site;
  if (!isJsonObject(value)) return;
  const [first] = Object.keys(value);
  const names = [...ODD_NAMES, ...oddStrings(first ?? "name"), "x".repeat(MAXIMUM_STRING)];
  for (const name of names) {
    for (const member of ["text", 1, first === undefined ? null : (value[first] ?? null)]) {
      yield { ...value, [name]: member };
    }
  }
}

function withFurtherItem({ value, schemas }: Site): JsonValue[] {
  if (!Array.isArray(value)) return [];
  // Up to the first item that is refused: those before it stay as they are described.
  const refused = Array.from({ length: 20 }, (_, index) => index).find((index) =>
    itemSchemas(schemas, index).includes(false),
  );
  const filled = Array.from({ length: refused ?? 0 }, (_, index) => value[index] ?? "text");
  return [
    [...value, "text"],
    [...filled, "text"],
    [...value, ...value, "text"],
  ];
}

function* withoutContained(
  site: Site,
  constraint: Constraint,
  builder: InstanceBuilder,
): Generator<JsonValue | undefined> {
  yield [];
  const rest = relaxed(site, constraint);
  const { contains } = constraint.schema;
  const items: JsonObject = { items: { not: contains ?? true } };
  for (let seed = 0; seed < 4; seed += 1) {
    yield builder.buildFrom(rest, [items], { ...TYPICAL, seed });
  }
  yield* VALUES_OF_ALL_TYPES.map((value) => [value]);
}

function* withContained(
  site: Site,
  constraint: Constraint,
  builder: InstanceBuilder,
): Generator<JsonValue | undefined> {
  const { keyword, schema } = constraint;
  const bound = Number(schema[keyword]);
  const count = keyword === "minContains" ? bound - 1 : bound + 1;
  const { minContains: _least, maxContains: _most, ...rest } = schema;
  const others = site.schemas.filter((other) => other !== schema);
  yield builder.buildFrom(others, [{ ...rest, minContains: count }, { minItems: count }], TYPICAL);
}

function withoutKey(value: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}
