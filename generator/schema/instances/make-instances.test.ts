import { Ajv2020 } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { test } from "uvu";
import * as assert from "uvu/assert";
import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import {
  readOwnTools,
  readTools,
  REAL_TOOLS,
  testShared,
} from "../../testing/harness/runner/shared-data.js";
import { makeInstances, makeMock, type Instances } from "./make-instances.js";
import { shortOrLong } from "../../testing/harness/runner/test-length.js";

/** AJV with its own keywords: it shares no code with the code under test. */
const independentAjv = ajvFormats.default(
  new Ajv2020({ strict: false, logger: false, validateSchema: false }),
);

function independentValidator(schema: JsonSchema): (value: JsonValue) => boolean {
  return independentAjv.compile(schema) as (value: JsonValue) => boolean;
}

function without(schema: JsonSchema, pointer: string): JsonSchema {
  const copy = structuredClone(schema);
  const steps = pointer.slice(1).split("/");
  const names = steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
  // For an entry of a keyword, the whole keyword is removed.
  const isEntry = /^(required|dependentRequired)$/.test(names.at(-2) ?? "");
  const last = (isEntry ? names.at(-2) : names.at(-1)) ?? "";
  let holder: JsonValue = copy;
  for (const name of names.slice(0, isEntry ? -2 : -1)) {
    holder = (holder as JsonObject)[name] ?? null;
  }
  delete (holder as JsonObject)[last];
  return copy;
}

/**
 * Makes and checks the instances of a schema.
 *
 * @param sampleInterval checks only each n-th breaking value against the schema without its constraint
 */
function checkInstances(schema: JsonSchema, label: string, sampleInterval = 1): Instances {
  const instances = makeInstances(schema);
  const { valid, breaking } = instances;
  const mock = makeMock(schema);
  const accepts = independentValidator(schema);
  for (const value of valid) assert.ok(accepts(value), `${label}: ${JSON.stringify(value)}`);
  if (mock !== undefined) assert.ok(accepts(mock), `${label}: mock ${JSON.stringify(mock)}`);
  for (const [index, { constraint, value }] of breaking.entries()) {
    const description = `${label}: ${constraint} ${JSON.stringify(value)}`;
    assert.not.ok(accepts(value), `is accepted, ${description}`);
    if (index % sampleInterval !== 0) continue;
    assert.ok(
      independentValidator(without(schema, constraint))(value),
      `breaks more, ${description}`,
    );
  }
  return instances;
}

/** Checks tools; returns how many breaking values were made, and the constraints without one. */
function checkTools(tools: readonly JsonObject[]): { covered: number; leftOut: string[] } {
  let covered = 0;
  const leftOut: string[] = [];
  for (const { name, inputSchema } of tools) {
    const instances = checkInstances(inputSchema as JsonSchema, String(name), 10);
    assert.ok(instances.valid.length > 0, String(name));
    covered += instances.breaking.length;
    // A type beside an `enum` cannot be broken alone.
    const missing = instances.leftOut.filter(({ reason }) => !reason.startsWith("`enum`"));
    leftOut.push(...missing.map(({ constraint }) => `${name} ${constraint}`));
  }
  return { covered, leftOut };
}

test("tools of this project: all values are valid or invalid as stated, and most constraints have a breaking value", () => {
  const { covered, leftOut } = checkTools(readOwnTools());
  assert.ok(covered >= 50, `${covered} constraints covered`);
  assert.ok(leftOut.length <= 1, leftOut.join("\n"));
});

testShared(
  "tools of real servers: all values are valid or invalid as stated",
  REAL_TOOLS,
  (folder) => {
    const { covered, leftOut } = checkTools(readTools(folder));
    assert.ok(covered >= 1_250, `${covered} constraints covered`);
    assert.ok(leftOut.length <= 12, leftOut.join("\n"));
  },
);

const FORECAST: JsonObject = {
  type: "object",
  properties: {
    city: { $ref: "#/$defs/City" },
    days: { type: "integer", minimum: 1, maximum: 14, default: 3 },
    mail: { type: "string", format: "email", maxLength: 40 },
    code: { type: "string", pattern: "^[A-Z]{2}-\\d{3,5}$" },
    tags: {
      type: "array",
      items: { minLength: 2, type: "string" },
      uniqueItems: true,
      minItems: 1,
      maxItems: 3,
    },
    price: { type: "number", exclusiveMinimum: 0, exclusiveMaximum: 9, multipleOf: 0.5 },
    pair: { type: "array", prefixItems: [{ type: "number" }, { type: "string" }], items: false },
    marks: { type: "array", contains: { const: "x" }, minContains: 2, maxContains: 3 },
    answer: { type: "string", not: { const: "no" } },
    counts: {
      type: "object",
      additionalProperties: { type: "integer" },
      propertyNames: { pattern: "^[a-z]+$" },
      minProperties: 1,
      maxProperties: 2,
    },
    unit: { enum: ["C", "F"] },
    either: {
      oneOf: [
        { type: "string", maxLength: 4 },
        { type: "integer", minimum: 5 },
      ],
    },
    parent: { $ref: "#" },
    secret: { type: "object", properties: { a: true }, unevaluatedProperties: false },
  },
  required: ["city"],
  dependentRequired: { days: ["mail"] },
  additionalProperties: false,
  $defs: { City: { type: "string", minLength: 1, maxLength: 80, examples: ["Berlin"] } },
};

test("objects in an enum may have members named like the methods of every object", () => {
  const choices = [["x"], [{ toString: null }], { valueOf: 1, toString: 2 }];
  const { valid } = makeInstances({ enum: choices, dependentRequired: { toString: ["valueOf"] } });
  assert.ok(valid.length > 0);
});

test("a default that is not of the type beside it does not stand in the way of values", () => {
  const contains = {
    type: "array",
    prefixItems: [{ type: ["integer", "null"] }],
    oneOf: [{ enum: ["y", []] }, true],
  };
  const { valid } = makeInstances({ type: "array", contains, default: 0 });
  assert.ok(valid.length > 0);
});

test("each kind of constraint gets a value that breaks only this constraint", () => {
  const { breaking, leftOut } = checkInstances(FORECAST, "forecast");
  const missing = leftOut.map(({ constraint }) => constraint);
  assert.equal(missing, [
    "/properties/marks/contains/const",
    "/properties/answer/not/const",
    "/properties/counts/propertyNames/pattern",
  ]);
  // Several values are tried of these.
  const others = breaking.filter(({ constraint }) => !/\/(?:format|type)$/.test(constraint));
  assert.is(new Set(others.map(({ constraint }) => constraint)).size, others.length);
});

test("schemas that cannot cause a value to be refused are no constraints", () => {
  const $defs = { named: { type: "object", required: ["name"] }, unused: { minLength: 1 } };
  const optional = { anyOf: [{ $ref: "#/$defs/named" }, { description: "Absent" }] };
  const schema = { type: "object", properties: { by: optional }, $defs };
  const { valid, breaking, leftOut } = checkInstances(schema, "optional alternatives");
  assert.ok(valid.some((value) => isJsonObject(value) && isJsonObject(value["by"])));
  const constraints = [...breaking, ...leftOut].map(({ constraint }) => constraint);
  assert.equal([...new Set(constraints)], ["/type"]);
});

test("a type gets breaking values that a careless check confuses with it", () => {
  const valuesOf = (type: JsonValue): readonly JsonValue[] =>
    makeInstances({ type }).breaking.map(({ value }) => value);
  assert.equal(valuesOf("string"), [1.5, null]);
  assert.equal(valuesOf("object"), ["text", []]);
  assert.equal(valuesOf(["integer", "null"]), [1.5, "1"]);
});

test("a format gets breaking values that a careless check accepts", () => {
  const day: JsonObject = { type: "string", format: "date" };
  const { breaking, valid } = checkInstances({ properties: { day }, required: ["day"] }, "day");
  const broken = breaking.filter(({ constraint }) => constraint === "/properties/day/format");
  const texts = broken.map(({ value }) => (value as JsonObject)["day"]);
  const nearMisses = ["2023-02-29", "2023-04-31", "2023-01-32", "2023-13-01", "2023-00-01"];
  assert.equal(texts, ["not this", ...nearMisses, "2023-01-00"]);
  assert.ok(valid.some((value) => (value as JsonObject)["day"] === "2024-02-29"));
});

test("values are short and look typical", () => {
  const { breaking } = makeInstances(FORECAST);
  const values = new Map(breaking.map(({ constraint, value }) => [constraint, value]));
  assert.equal(values.get("/required/0"), {});
  assert.equal(values.get("/properties/days/maximum"), {
    city: "Berlin",
    days: 15,
    mail: "ada@example.com",
  });
  assert.equal(values.get("/properties/unit/enum"), { city: "Berlin", unit: "not C" });
  assert.equal(values.get("/additionalProperties"), { city: "Berlin", unexpected: true });
});

test("a mock uses the schema's examples and defaults", () => {
  const schema: JsonSchema = {
    type: "object",
    properties: {
      city: { type: "string", examples: ["Berlin"] },
      days: { type: "integer", default: 3 },
      unit: { enum: ["C", "F"] },
      kind: { const: "forecast" },
      first_name: { type: "string" },
    },
  };
  assert.equal(makeMock(schema), {
    city: "Berlin",
    days: 3,
    unit: "C",
    kind: "forecast",
    first_name: "first name",
  });
  assert.equal(makeMock({ examples: [{ a: 1 }], type: "object" }), { a: 1 });
  assert.is(makeMock({ examples: ["bad"], type: "integer", minimum: 7 }), 7);
  assert.is(makeMock(false), undefined);
});

test("the same schema gives the same values", () => {
  const text = JSON.stringify(FORECAST);
  assert.equal(makeInstances(JSON.parse(text)), makeInstances(JSON.parse(text)));
});

test("schemas of draft-07 get valid and breaking values", () => {
  const schema: JsonSchema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    type: "object",
    properties: {
      pair: { type: "array", items: [{ type: "string" }], additionalItems: false },
      city: { $ref: "#/definitions/City", maxLength: 1 },
    },
    dependencies: { pair: ["city"] },
    definitions: { City: { type: "string", minLength: 3 } },
  };
  const { valid, breaking } = makeInstances(schema);
  assert.ok(valid.some((value) => isJsonObject(value) && "pair" in value && "city" in value));
  const covered = breaking.map(({ constraint }) => constraint);
  assert.ok(covered.includes("/properties/pair/additionalItems"));
  assert.ok(covered.includes("/definitions/City/minLength"));
});

/** The 32-bit generator "mulberry32". */
function randomSource(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

function randomSchema(random: (below: number) => number, depth: number): JsonSchema {
  const inner = (): JsonSchema => randomSchema(random, depth - 1);
  const scalar: (() => JsonObject)[] = [
    () => ({ type: "string", minLength: random(3), maxLength: 3 + random(5) }),
    () => ({
      type: "string",
      pattern: ["^a+b?$", "^[0-9]{2,4}$", "x|y", "^\\w+-\\d$"][random(4)]!,
    }),
    () => ({ type: "string", format: ["email", "date", "uri", "uuid", "ipv4"][random(5)]! }),
    () => ({ type: "integer", minimum: random(5) - 2, maximum: 3 + random(9) }),
    () => ({ type: "number", multipleOf: 0.5, exclusiveMaximum: random(9) + 1 }),
    () => ({ enum: ["a", 1, null, { b: [1] }].slice(random(3)) }),
    () => ({ type: ["boolean", "null"] }),
    () => ({ $ref: "#/$defs/Shared" }),
  ];
  const nested: (() => JsonObject)[] = [
    () => ({
      type: "array",
      items: inner(),
      minItems: random(2),
      maxItems: 2 + random(2),
      uniqueItems: random(2) === 0,
    }),
    () => ({
      type: "object",
      properties: { a: inner(), b: inner() },
      required: ["a"],
      additionalProperties: random(2) === 0,
    }),
    () => ({
      type: "object",
      additionalProperties: inner(),
      minProperties: random(2),
      maxProperties: 3,
    }),
    () => ({ anyOf: [inner(), inner()] }),
    () => ({ oneOf: [inner(), inner()] }),
    () => ({ allOf: [inner(), { not: { const: 1 } }] }),
    () => ({
      type: "object",
      properties: { p: inner() },
      if: { required: ["p"] },
      then: { required: ["q"] },
    }),
    () => ({ type: "array", contains: inner() }),
    () => ({ type: "object", properties: { p: inner() }, unevaluatedProperties: false }),
    () => ({ type: "object", properties: { p: { $ref: "#" } } }),
  ];
  const makers = depth > 0 ? [...scalar, ...nested, ...nested] : scalar;
  return makers[random(makers.length)]!();
}

/** Random schemas. */
const SCHEMAS = shortOrLong(40, 400);

test("random schemas: all values are valid or invalid as stated", () => {
  let covered = 0;
  for (let seed = 0; seed < SCHEMAS; seed += 1) {
    const random = randomSource(seed);
    const schema = { type: "object", properties: { root: randomSchema(random, 3) } };
    const shared = { type: "string", minLength: 2 };
    covered += checkInstances({ ...schema, $defs: { Shared: shared } }, `seed ${seed}`).breaking
      .length;
  }
  assert.ok(covered > 300, `${covered} constraints covered`);
});

const manyProperties = Object.fromEntries(
  Array.from({ length: 1_000 }, (_, index) => [`p${index}`, { type: "integer", maximum: index }]),
);

function nested(depth: number): JsonSchema {
  return depth === 0
    ? { type: "string" }
    : { type: "object", properties: { a: nested(depth - 1) }, required: ["a"] };
}

const HOSTILE: Readonly<Record<string, JsonSchema>> = {
  "requires itself": { type: "object", properties: { a: { $ref: "#" } }, required: ["a"] },
  "branches into itself": {
    type: "object",
    properties: { a: { $ref: "#" }, b: { $ref: "#" }, c: { type: "array", items: { $ref: "#" } } },
  },
  "long strings": { type: "string", minLength: 1e9 },
  "long arrays": { type: "array", minItems: 1e9, items: { type: "string" } },
  "many properties": { type: "object", minProperties: 1e9 },
  "nothing fits": { type: "integer", minimum: 5, maximum: 4 },
  "a thousand properties": { type: "object", properties: manyProperties },
  "a thousand required properties": {
    properties: manyProperties,
    required: Object.keys(manyProperties),
  },
  deep: nested(60),
  "many alternatives": { anyOf: Array.from({ length: 500 }, (_, index) => ({ const: index })) },
  "many parts": { allOf: Array.from({ length: 500 }, (_, index) => ({ maxLength: 500 + index })) },
  "large enum": { enum: Array.from({ length: 5_000 }, (_, index) => `value ${index}`) },
  "unreadable pattern": { type: "string", pattern: "^(\\p{Lu})\\1(?<!x)$" },
  "deep pattern": { type: "string", pattern: `${"(".repeat(200)}a${")+".repeat(200)}` },
  "large repetition": { type: "string", pattern: "^(a{1000}){1000}$" },
  "names of prototypes": {
    type: "object",
    properties: { toString: { type: "number" }, constructor: { type: "string" } },
    required: ["toString", "valueOf"],
  },
  "huge numbers": { type: "number", minimum: 1e308, multipleOf: 1e300 },
  "false everywhere": { type: "object", properties: { a: false }, items: false, contains: false },
};

function largest(value: JsonValue): number {
  if (typeof value === "string") return value.length / 10;
  if (typeof value !== "object" || value === null) return 0;
  const members = Object.values(value);
  return Math.max(members.length, ...members.map(largest));
}

test("hostile schemas give few, short values in bounded time", () => {
  for (const [label, schema] of Object.entries(HOSTILE)) {
    const { valid, breaking, leftOut } = makeInstances(schema);
    assert.ok(breaking.length <= 251, label);
    const values = [...valid, ...breaking.map(({ value }) => value)];
    assert.ok(
      values.every((value) => largest(value) <= 201),
      label,
    );
    assert.ok(
      leftOut.every(({ reason }) => reason !== ""),
      label,
    );
  }
});

test("definitions with values of their own are broken once where a schema refers to them, and are small there", () => {
  const text = { type: "string", minLength: 2, maxLength: 5 };
  const Inner = { type: "object", properties: { code: text }, required: ["code"] };
  const Outer = {
    type: "object",
    properties: { inner: { $ref: "#/$defs/Inner" }, note: text },
    required: ["inner"],
  };
  const schema = {
    type: "object",
    properties: {
      outer: { $ref: "#/$defs/Outer" },
      others: { type: "array", items: { $ref: "#/$defs/Outer/properties/inner" }, maxItems: 2 },
      count: { type: "integer", maximum: 3 },
    },
    $defs: { Inner, Outer },
  };
  const separate = new Set<JsonObject>([Inner, Outer]);
  const { valid, breaking } = makeInstances(schema, (definition) => separate.has(definition));
  const accepts = independentValidator(schema);
  assert.ok(valid.length > 1 && valid.every(accepts));
  const outers = valid.map((value) => (value as JsonObject)["outer"]).filter(isJsonObject);
  assert.ok(outers.length > 0 && outers.every((outer) => !("note" in outer)));
  const constraints = breaking.map(({ constraint }) => constraint);
  assert.equal([...new Set(constraints)].sort(), [
    "/$defs/Outer/type",
    "/properties/count/maximum",
    "/properties/count/type",
    "/properties/others/maxItems",
    "/properties/others/type",
    "/type",
  ]);
  assert.is(constraints.filter((one) => one.startsWith("/$defs/")).length, 1);
  const all = new Set(makeInstances(schema).breaking.map(({ constraint }) => constraint));
  assert.ok(all.has("/$defs/Inner/properties/code/maxLength"));
});

test("a reference to a definition is broken, whatever the definition is", () => {
  const Base = { type: "string", minLength: 2 };
  const Labels = {
    type: "object",
    patternProperties: { "^[a-z]+$": { type: "string" } },
    additionalProperties: false,
    minProperties: 1,
  };
  const Alias = { allOf: [{ $ref: "#/$defs/Base" }] };
  const $defs = { Base, Labels, Alias, Any: { description: "Anything." }, Never: { not: {} } };
  const at = (name: string) => ({ $ref: `#/$defs/${name}` });
  const separate = new Set<JsonObject>(Object.values($defs));
  const instancesOf = (properties: JsonObject): Instances =>
    makeInstances({ type: "object", properties, $defs }, (definition) => separate.has(definition));
  const { breaking } = instancesOf({ labels: at("Labels"), note: { ...Base }, other: at("Alias") });
  const broken = breaking.map(({ constraint }) => constraint);
  for (const one of ["/properties/note/minLength", "/$defs/Labels/type", "/$defs/Base/type"]) {
    assert.ok(broken.includes(one), `${one} of ${broken.join(" ")}`);
  }
  assert.equal(instancesOf({ any: at("Any"), base: at("Base") }).leftOut, []);
  const [never] = instancesOf({ never: at("Never") }).leftOut;
  assert.is(never?.constraint, "/$defs/Never");
});

test("the parts of a costly schema for which no values are made are listed", () => {
  const names = Array.from({ length: 12 }, (_, index) => `filter${index}`);
  const all = { anyOf: names.map((name) => ({ $ref: `#/$defs/${name}` })) };
  const filter = {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "array", items: all }])),
    minProperties: 1,
  };
  const { valid, breaking, leftOut } = makeInstances({
    type: "object",
    properties: { limit: { type: "integer", maximum: 5 }, filter: all },
    $defs: Object.fromEntries(names.map((name) => [name, filter])),
  });
  assert.ok(valid.length > 0);
  assert.ok(breaking.some(({ constraint }) => constraint === "/properties/limit/maximum"));
  assert.ok(leftOut.some(({ reason }) => reason.includes("more work than is done for one schema")));
});

test("a text with a pattern is as long as maxLength allows, whatever stands before its repetition", () => {
  for (const pattern of ["^[A-Z][a-z]*$", "^\\p{L}[\\p{L}\\p{N} -]*$", "^x-(?:ab?)+$"]) {
    const { valid } = makeInstances({ type: "string", maxLength: 30, pattern });
    assert.is(Math.max(...valid.map((text) => String(text).length)), 30, pattern);
  }
});

test.run();
