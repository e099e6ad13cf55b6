import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { checkSchemas } from "./check-schemas.js";

const CITY = "City: {type: object, properties: {zone: {type: string, default: UTC}}}";

/** The findings of a tool whose inputSchema is `{type: object, <fields>}`. */
function found(fields: string, shared = ""): string[] {
  const yaml = `schemas: {${shared}}\ntools: [{name: a, description: x, inputSchema: {type: object, ${fields}}}]`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(yaml));
  if (manifest === undefined) throw new Error("not YAML");
  return checkSchemas(manifest).map(
    ({ line, column, message }) =>
      `${yaml.split("\n")[line - 1]?.slice(column - 1, column + 6)}: ${message}`,
  );
}

const never = (reason: string): string => `default: this default is never filled in: ${reason}`;

test("a default that the server fills in is not reported", () => {
  for (const fields of [
    "properties: {days: {type: integer, default: 3}}",
    'properties: {days: {anyOf: [{type: integer}, {type: "null"}], default: null}}',
    "properties: {day: {properties: {hour: {default: 3}}, required: [other]}}",
    "properties: {days: {type: array, items: {properties: {hour: {default: 3}}}}}",
    "allOf: [{properties: {days: {default: 3}}}]",
    "properties: {days: {allOf: [{default: 3}]}}",
    'properties: {days: {$ref: "#/$defs/d"}}, $defs: {d: {default: 3}}',
    "default: {}",
    "$defs: {unused: {default: 3}}",
  ]) {
    assert.equal(found(fields), [], fields);
  }
  const either = `properties: {a: {oneOf: [{$ref: "#/schemas/City"}, {type: string}]}, b: {$ref: "#/schemas/City"}}`;
  assert.equal(found(either, CITY), []);
});

test("a default of a recursive schema is reported: it is filled in at the outermost level only", () => {
  const outer = (count: number): string[] =>
    Array.from(
      { length: count },
      () =>
        "default: this default is filled in at the outermost level only: a schema around it leads back to itself",
    );
  const root = 'properties: {root: {$ref: "#/$defs/N"}}';
  for (const [fields, count] of [
    [`${root}, $defs: {N: {properties: {w: {default: 1}, next: {$ref: "#/$defs/N"}}}}`, 1],
    [
      `${root}, $defs: {N: {properties: {w: {default: 1}}, allOf: [{items: {$ref: "#/$defs/N"}}]}}`,
      1,
    ],
    ['properties: {w: {default: 1}, child: {$ref: "#"}}', 1],
    [
      `${root}, $defs: {N: {properties: {m: {$ref: "#/$defs/M"}, v: {default: 1}}}, M: {properties: {n: {$ref: "#/$defs/N"}, p: {properties: {w: {default: 1}}}}}}`,
      2,
    ],
    // Schemas under other keywords are never filled in, so that this is no recursion of defaults.
    [
      `${root}, $defs: {N: {properties: {w: {default: 1}, next: {additionalProperties: {$ref: "#/$defs/N"}}}}}`,
      0,
    ],
    [
      `properties: {v: {default: 1}, root: {$ref: "#/$defs/N"}}, $defs: {N: {properties: {next: {$ref: "#/$defs/N"}}}}`,
      0,
    ],
  ] as const) {
    assert.equal(found(fields), outer(count), fields);
  }
});

test("a default that the server never fills in is reported with the reason", () => {
  const described = "description: x";
  for (const [fields, reason] of [
    [`properties: {n: {default: 3, ${described}}}, required: [n]`, "the property is required"],
    ["properties: {a: {oneOf: [{properties: {n: {default: 3}}}]}}", 'it stands under "oneOf"'],
    ["anyOf: [{properties: {n: {default: 3}}}]", 'it stands under "anyOf"'],
    ["if: {}, then: {properties: {n: {default: 3}}}", 'it stands under "then"'],
    [
      "properties: {a: {additionalProperties: {properties: {n: {default: 3}}}}}",
      'it stands under "additionalProperties"',
    ],
    ["properties: {a: {items: {default: 3}}}", "an item is never missing"],
    ["default: {n: 3}", "arguments as a whole are never missing"],
  ] as const) {
    assert.equal(found(fields), [never(reason)], fields);
  }
  assert.equal(
    found('properties: {a: {oneOf: [{$ref: "#/schemas/City"}, {type: string}]}}', CITY),
    [never('it stands under "oneOf"')],
  );
});

test("a default beside a reference has an effect in 2020-12 and none in draft-07", () => {
  const fields = 'properties: {a: {$ref: "#/definitions/d", default: 3}}, definitions: {d: {}}';
  assert.equal(found(fields), []);
  assert.equal(found(`$schema: "http://json-schema.org/draft-07/schema#", ${fields}`), [
    never('in draft-07 nothing counts beside "$ref"'),
  ]);
});

test("a default of an output is not reported", () => {
  const yaml =
    "tools: [{name: a, description: x, outputSchema: {anyOf: [{properties: {n: {default: 3}}}]}}]";
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(yaml));
  assert.equal(manifest && checkSchemas(manifest), []);
});

test.run();
