import { Ajv2020 } from "ajv/dist/2020.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, JsonSchema } from "../../model/json.js";
import { shortOrLong } from "../../testing/harness/runner/test-length.js";
import { accepts } from "../interpret.js";
import { flattenRoot, refusedAtRoot, type FlatRoot } from "./flatten-root.js";

function flat(schema: JsonObject): FlatRoot {
  const result = flattenRoot({ type: "object", ...schema });
  if (result === undefined) throw new Error("references lead to the root");
  return result;
}

const text: JsonObject = { type: "string" };
const circle: JsonObject = {
  properties: { kind: { const: "circle" }, radius: { type: "number" } },
  required: ["kind", "radius"],
  additionalProperties: false,
};
const square: JsonObject = {
  properties: { kind: { const: "square" }, side: { type: "number" }, colour: text },
  required: ["kind", "side"],
  additionalProperties: false,
};

test("schemas of allOf are joined", () => {
  const { schema, isExact } = flat({
    properties: { a: text },
    allOf: [
      { properties: { a: { minLength: 1 }, b: text }, required: ["b"] },
      { required: ["a"], minProperties: 1 },
    ],
    unevaluatedProperties: false,
  });
  assert.ok(isExact);
  assert.equal(schema, {
    type: "object",
    properties: { a: { minLength: 1, type: "string" }, b: text },
    required: ["b", "a"],
    minProperties: 1,
    additionalProperties: false,
  });
});

test("a reference at the root is followed, and unused definitions are removed", () => {
  const node = { type: "object", properties: { next: { $ref: "#/$defs/Node" } } };
  const recursive = flat({ $ref: "#/$defs/Node", $defs: { Node: node } });
  assert.ok(recursive.isExact);
  assert.equal(recursive.schema, { ...node, $defs: { Node: node } });
  const named = flat({ $ref: "#/$defs/Named", $defs: { Named: { properties: { a: text } } } });
  assert.equal(named.schema, { type: "object", properties: { a: text } });
});

test("the description lists the alternatives of anyOf and oneOf", () => {
  const { schema, isExact } = flat({
    description: "A place.",
    properties: { city: text, latitude: { type: "number" }, longitude: { type: "number" } },
    anyOf: [{ required: ["city"] }, { required: ["latitude", "longitude"] }],
    additionalProperties: false,
  });
  assert.not(isExact);
  assert.equal(refusedAtRoot(schema), []);
  assert.equal(Object.keys(schema["properties"] as JsonObject), ["city", "latitude", "longitude"]);
  assert.is(
    schema["description"],
    "A place.\n\nThe arguments must fit at least one of these:\n- with city\n- with latitude, longitude",
  );
});

test("a union of objects becomes the widest object", () => {
  const { schema, isExact } = flat({ oneOf: [circle, square] });
  assert.not(isExact);
  assert.equal(schema, {
    type: "object",
    description:
      'The arguments must fit exactly one of these:\n- kind is "circle"; with radius\n- kind is "square"; with side; may have colour',
    properties: {
      kind: { enum: ["circle", "square"] },
      radius: { type: "number" },
      side: { type: "number" },
      colour: text,
    },
    required: ["kind"],
    additionalProperties: false,
  });
});

const number: JsonObject = { type: "number" };

/** Schemas with an open alternative that says nothing of the property `a`, with the listed schema of it. */
const OPEN: readonly (readonly [what: string, schema: JsonObject, a: JsonSchema | undefined])[] = [
  [
    "the schema of the only alternative that describes it",
    { anyOf: [{ properties: { a: { ...text, title: "A" } } }, { required: ["b"] }] },
    { ...text, title: "A" },
  ],
  [
    "one schema where those that describe it agree",
    { oneOf: [{ properties: { a: text } }, { properties: { a: text } }, { required: ["b"] }] },
    text,
  ],
  [
    "a union of the schemas that describe it",
    { oneOf: [{ properties: { a: text } }, { properties: { a: number } }, true] },
    { anyOf: [text, number] },
  ],
  [
    "the schema behind references and within nested alternatives",
    {
      oneOf: [
        { $ref: "#/$defs/A" },
        { anyOf: [{ required: ["b"] }, { properties: { a: number } }] },
      ],
      $defs: { A: { allOf: [{ properties: { a: text } }] } },
    },
    { anyOf: [text, number] },
  ],
  [
    "any value where an alternative describes it so",
    { anyOf: [{ properties: { a: text } }, { properties: { a: {} } }] },
    true,
  ],
  [
    "any value where an alternative requires it and says no more",
    { anyOf: [{ properties: { a: text } }, { required: ["a"] }] },
    true,
  ],
  [
    "any value where an alternative has a pattern for it",
    { anyOf: [{ properties: { a: text } }, { patternProperties: { "^a": number } }] },
    true,
  ],
  [
    "what an alternative says of all further properties, too",
    { anyOf: [{ properties: { a: text } }, { additionalProperties: number }] },
    { anyOf: [text, number] },
  ],
  [
    "the schema beside the alternatives, and nothing more",
    { properties: { a: text }, anyOf: [{ properties: { a: { minLength: 2 } } }, {}] },
    text,
  ],
  [
    "the schema in allOf beside the alternatives",
    { allOf: [{ properties: { a: text } }], anyOf: [{ properties: { a: { minLength: 2 } } }, {}] },
    text,
  ],
  [
    "no schema where the others only refuse it",
    { anyOf: [{ properties: { a: false } }, { required: ["b"] }] },
    undefined,
  ],
  [
    "the schema of another alternative that has conditions on other properties",
    {
      oneOf: [
        { properties: { a: text } },
        { if: { required: ["b"] }, then: { required: ["c"] }, dependentSchemas: { d: {} } },
      ],
    },
    text,
  ],
  [
    "any value where a condition of an alternative is about it",
    {
      oneOf: [
        { properties: { a: text } },
        { if: { required: ["b"] }, then: { properties: { a: number } } },
      ],
    },
    true,
  ],
  [
    "the schema of a choice beside another one",
    {
      anyOf: [{ properties: { a: { minLength: 2 } } }, {}],
      oneOf: [{ properties: { a: text } }, { properties: { a: text }, required: ["b"] }],
    },
    text,
  ],
];

for (const [what, root, a] of OPEN) {
  test(`a property of which an open alternative says nothing has ${what}`, () => {
    const { schema, isExact } = flat(root);
    assert.not(isExact);
    assert.equal((schema["properties"] as JsonObject)["a"], a);
  });
}

test("a schema with references to subschemas that would be removed is not flattened", () => {
  const allOf = [{ properties: { a: text } }];
  const schema = { type: "object", allOf, properties: { b: { $ref: "#/allOf/0/properties/a" } } };
  assert.is(flattenRoot(schema), undefined);
});

const SEED = 20_261_123;
const SCHEMAS = shortOrLong(20, 3000);
const VALUES_EACH = 60;

/** Names of the properties that the random schemas describe. */
const NAMES = ["a", "b", "c", "ab", "d"];

/** Keywords whose schemas hold for the same object. */
const IN_PLACE = ["allOf", "anyOf", "oneOf"];

/** Whether a schema says anything of a property. */
function saysOf(schema: JsonSchema, name: string, $defs: JsonObject): boolean {
  if (typeof schema === "boolean") return false;
  const { properties = {}, patternProperties = {}, required = [], $ref } = schema;
  const target = typeof $ref === "string" ? $defs[$ref.replace("#/$defs/", "")] : undefined;
  // With `additionalProperties`, no property is unevaluated.
  const isOpen =
    (schema["additionalProperties"] ?? schema["unevaluatedProperties"] ?? true) === true;
  const parts = [
    ...IN_PLACE.flatMap((keyword) => (schema[keyword] ?? []) as JsonSchema[]),
    ...["if", "then"].map((keyword) => (schema[keyword] ?? true) as JsonSchema),
    (target ?? true) as JsonSchema,
  ];
  return (
    !isOpen ||
    Object.hasOwn(properties as JsonObject, name) ||
    Object.keys(patternProperties as JsonObject).some((pattern) =>
      new RegExp(pattern).test(name),
    ) ||
    (required as string[]).includes(name) ||
    parts.some((part) => saysOf(part, name, $defs))
  );
}

/** A copy of a schema whose alternatives refuse the properties of which they say nothing, and others do. */
function withoutSilence(schema: JsonSchema, $defs: JsonObject): JsonSchema {
  if (typeof schema === "boolean") return schema;
  const copy: JsonObject = { ...schema };
  for (const keyword of IN_PLACE) {
    const parts = schema[keyword] as JsonSchema[] | undefined;
    if (parts === undefined) continue;
    copy[keyword] = parts.map((part) => {
      const inner = withoutSilence(part, $defs);
      const silent = NAMES.filter(
        (name) =>
          keyword !== "allOf" &&
          !saysOf(part, name, $defs) &&
          parts.some((other) => saysOf(other, name, $defs)),
      );
      const refused = Object.fromEntries(silent.map((name) => [name, false]));
      return silent.length === 0 ? inner : { allOf: [inner, { properties: refused }] };
    });
  }
  return copy;
}

test("a flat form accepts all values that its schema accepts, but for properties of which an open alternative says nothing, and no others if it is exact", () => {
  const random = new RandomRoots(SEED);
  const counts = { exact: 0, wider: 0, accepted: 0, refused: 0, silent: 0 };
  for (let round = 0; round < SCHEMAS; round++) {
    const schema = random.schema();
    const form = flat(schema);
    const $defs = schema["$defs"] as JsonObject;
    const definitions = Object.entries($defs).map(
      ([name, definition]) => [name, withoutSilence(definition as JsonSchema, $defs)] as const,
    );
    const spoken: JsonObject = {
      ...(withoutSilence(schema, $defs) as JsonObject),
      $defs: Object.fromEntries(definitions),
    };
    counts[form.isExact ? "exact" : "wider"] += 1;
    assert.equal(refusedAtRoot(form.schema), []);
    const validate = new Ajv2020({ strict: false, logger: false }).compile(form.schema);
    for (let count = 0; count < VALUES_EACH; count++) {
      const value = random.value();
      const isAccepted = accepts(schema, value);
      const isSpokenOf = form.isExact || accepts(spoken, value);
      counts[isAccepted ? (isSpokenOf ? "accepted" : "silent") : "refused"] += 1;
      const isRight = isAccepted
        ? !isSpokenOf || validate(value)
        : !form.isExact || !validate(value);
      assert.ok(isRight, JSON.stringify({ schema, flat: form.schema, value }));
    }
  }
  assert.ok(
    counts.accepted > SCHEMAS * 5 && counts.exact > SCHEMAS / 10 && counts.silent > 0,
    JSON.stringify(counts),
  );
});

/** Schemas of objects with all kinds of combinations at their roots, and objects that often fit them. */
class RandomRoots {
  #state: number;
  #references: readonly string[] = [];

  constructor(seed: number) {
    this.#state = seed;
  }

  schema(): JsonObject {
    // No definition refers to itself.
    this.#references = [];
    const one = this.#object();
    this.#references = ["#/$defs/one"];
    const two = { ...this.#object(), ...this.#combinations(1) };
    this.#references = ["#/$defs/one", "#/$defs/two"];
    const $defs = { one, two };
    return { type: "object", ...this.#object(), ...this.#combinations(2), $defs };
  }

  value(): JsonObject {
    const names = NAMES.filter(() => this.#chance(0.45));
    return Object.fromEntries(names.map((name) => [name, this.#pick(["x", "y", 1, 2])]));
  }

  #object(): JsonObject {
    const described = ["a", "b", "c", "ab"].filter(() => this.#chance(0.5));
    const properties = described.map((name) => [name, this.#property()] as const);
    const required = ["a", "b", "c"].filter(() => this.#chance(0.15));
    return {
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 && { required }),
      ...this.#sometimes(0.25, () => ({ additionalProperties: this.#property() })),
      ...this.#sometimes(0.15, () => ({ unevaluatedProperties: this.#property() })),
      ...this.#sometimes(0.1, () => ({ patternProperties: { "^a": this.#property() } })),
      ...this.#sometimes(0.1, () => ({ maxProperties: this.#pick([1, 2, 3]) })),
      ...this.#sometimes(0.1, () => ({ dependentRequired: { a: [this.#pick(["b", "c"])] } })),
      ...this.#sometimes(0.1, () => ({
        if: { required: [this.#pick(["a", "b"])] },
        then: { properties: { d: this.#property() } },
      })),
      ...this.#sometimes(0.05, () => ({ propertyNames: { enum: ["a", "b", "ab"] } })),
      ...this.#sometimes(0.05, () => ({ not: { required: [this.#pick(["b", "c"])] } })),
    };
  }

  #combinations(depth: number): JsonObject {
    const parts = (): JsonSchema[] =>
      Array.from({ length: this.#pick([1, 2, 2, 3]) }, () => this.#part(depth));
    return {
      ...this.#sometimes(this.#references.length * 0.15, () => ({
        $ref: this.#pick(this.#references),
      })),
      ...this.#sometimes(0.4, () => ({ allOf: parts() })),
      ...this.#sometimes(0.3, () => ({ anyOf: parts() })),
      ...this.#sometimes(0.3, () => ({ oneOf: parts() })),
    };
  }

  #part(depth: number): JsonSchema {
    if (depth === 0) return this.#chance(0.05) ? this.#chance(0.5) : this.#object();
    return {
      ...this.#object(),
      ...this.#sometimes(0.3, () => this.#combinations(depth - 1)),
    };
  }

  #property(): JsonSchema {
    const schemas = [false, true, {}, text, { type: "number" }, { const: "x" }, { enum: ["y", 1] }];
    return this.#pick<JsonSchema>([...schemas, { minimum: 2, description: "A number." }]);
  }

  #sometimes(chance: number, make: () => JsonObject): JsonObject {
    return this.#chance(chance) ? make() : {};
  }

  #pick<Choice>(choices: readonly Choice[]): Choice {
    return choices[Math.floor(this.#next() * choices.length)]!;
  }

  #chance(probability: number): boolean {
    return this.#next() < probability;
  }

  #next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }
}

test.run();
