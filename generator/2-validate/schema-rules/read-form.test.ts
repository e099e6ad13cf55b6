import { isSpecType } from "@modelcontextprotocol/server";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { parse } from "yaml";
import { loadManifest } from "../../1-load/load.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { validateManifest } from "../validate.js";

/** The part of a question that follows its message, in a tool of a manifest. */
const asking = (rest: string): string =>
  `name: demo\nversion: 1.0.0\ntools: [{name: a, description: x, elicitations: {ask: {message: Which?, ${rest}}}}]\n`;

const fields = (properties: string): string => `{type: object, properties: {${properties}}}`;

function diagnose(yaml: string): readonly Diagnostic[] {
  const { manifest, diagnostics } = loadManifest("mcp.yaml", Buffer.from(yaml));
  if (manifest === undefined) throw new Error(diagnostics[0]?.message);
  return validateManifest(manifest);
}

/** The code of each finding, and the source text at its place. */
function summarize(yaml: string): string[] {
  const lines = yaml.split("\n");
  return diagnose(yaml).map(({ code, line, column, endColumn }) => {
    return `${code} ${lines[line - 1]?.slice(column - 1, endColumn - 1)}`;
  });
}

/** Every form of field that the protocol has. */
const GOOD_FIELDS = [
  "a: {type: string}",
  "a: {type: string, title: T, description: D, minLength: 1, maxLength: 9, default: text}",
  'a: {type: string, format: email, default: "a@b.example"}',
  "a: {type: string, format: uri}",
  'a: {type: string, format: date, default: "2026-11-20"}',
  "a: {type: string, format: date-time}",
  "a: {type: number, minimum: 0, maximum: 1.5, default: 0.5}",
  "a: {type: integer, title: T, description: D, default: 3}",
  "a: {type: boolean, default: false}",
  "a: {type: string, enum: [s, m], default: m}",
  "a: {type: string, enum: [s, m], enumNames: [Small, Medium]}",
  "a: {type: string, oneOf: [{const: s, title: Small}, {const: m, title: Medium}], default: s}",
  "a: {type: array, items: {type: string, enum: [s, m]}, minItems: 1, maxItems: 2, default: [s]}",
  "a: {type: array, items: {anyOf: [{const: s, title: Small}]}, default: []}",
  "user name: {type: string}, constructor: {type: boolean}, toString: {type: integer}",
  "",
];

test("every form of the protocol is accepted, here and by the SDK", () => {
  for (const field of GOOD_FIELDS) {
    const form = fields(field);
    assert.equal(summarize(asking(`requestedSchema: ${form}`)), [], field);
    const requestedSchema: unknown = parse(form);
    assert.ok(isSpecType.ElicitRequestFormParams({ message: "Which?", requestedSchema }), field);
  }
});

test("annotations and `x-` keys are allowed in a form", () => {
  const note = "$comment: c, x-own: {a: [1]}, title: T";
  const form = `{${note}, description: D, $schema: "https://json-schema.org/draft/2020-12/schema", type: object, properties: {a: {type: string, ${note}, examples: [b]}}, required: [a]}`;
  assert.equal(summarize(asking(`requestedSchema: ${form}`)), []);
});

/** The text after `requestedSchema:`, with the expected findings. */
const BAD_FORMS: readonly [form: string, ...found: string[]][] = [
  ["text", "MW3070 text"],
  ["true", "MW3070 true"],
  ["{type: string}", "MW3070 string"],
  ["{type: [object]}", "MW3070 [object]"],
  ["{type: object}", "MW3070 requestedSchema"],
  ["{properties: {a: {type: string}}}", "MW3070 requestedSchema"],
  ["{type: object, properties: []}", "MW3006 []"],
  ['{type: object, properties: {}, $ref: "#/schemas/A"}', "MW3072 $ref"],
  ["{type: object, properties: {}, additionalProperties: false}", "MW3072 additionalProperties"],
  ["{type: object, properties: {}, $defs: {A: {type: 5}}}", "MW3072 $defs"],
  ["{type: object, propertys: {}, properties: {}}", "MW3003 propertys"],
  ["{type: object, properties: {city: {type: string}}, required: [town]}", "MW3075 town"],
  ["{type: object, properties: {}, required: [toString]}", "MW3075 toString"],
  [fields("a: text"), "MW3001 text"],
  [fields("a: true"), "MW3071 true"],
  [fields("a: {}"), "MW3071 a"],
  [fields("a: {enum: [b]}"), "MW3071 a"],
  [fields('a: {$ref: "http://evil.example/x"}'), "MW3071 a"],
  [fields("a: {type: object, properties: {b: {type: 5}}}"), "MW3071 object"],
  [fields('a: {type: "null"}'), 'MW3071 "null"'],
  [fields('a: {type: [string, "null"]}'), 'MW3071 [string, "null"]'],
  [fields("a: {type: strng}"), "MW3007 strng"],
  [fields("a: {type: array}"), "MW3071 array"],
  [fields("a: {type: array, items: {type: string}}"), "MW3071 {type: string}"],
  [fields("a: {type: array, items: {type: integer, enum: [1]}}"), "MW3074 integer"],
  [fields("a: {type: array, items: {enum: [b]}}"), "MW3074 {enum: [b]}"],
  [fields("a: {type: array, items: {type: string, enum: [b], minLength: 1}}"), "MW3072 minLength"],
  [
    fields("a: {type: array, items: {type: string, enum: [b]}, uniqueItems: true}"),
    "MW3072 uniqueItems",
  ],
  [fields("a: {type: array, items: {type: string, enum: [b]}, minItems: 2}"), "MW3076 2"],
  [
    fields("a: {type: array, items: {type: string, enum: [b, c]}, minItems: 2, maxItems: 1}"),
    "MW3020 1",
  ],
  [fields('a: {type: string, pattern: "^(a+)+$"}'), "MW3072 pattern"],
  [fields("a: {type: string, minLength: 2, maxLength: 1}"), "MW3020 1"],
  [fields("a: {type: string, minLength: 2, default: b}"), "MW3026 b"],
  [fields("a: {type: string, format: uuid}"), "MW3073 uuid"],
  [fields("a: {type: string, format: 5}"), "MW3006 5"],
  [fields("a: {type: string, enum: [b], maxLength: 1}"), "MW3072 maxLength"],
  [fields("a: {type: string, enum: []}"), "MW3021 []"],
  [fields("a: {type: string, enum: [b, b]}"), "MW3022 b"],
  [fields("a: {type: string, enum: [b, 1]}"), "MW3305 1"],
  [fields("a: {type: string, enum: [b], default: c}"), "MW3026 c"],
  [fields("a: {type: string, enum: [b], enumNames: [B, C]}"), "MW3074 [B, C]"],
  [fields("a: {type: string, enum: [b], enumNames: [1]}"), "MW3074 [1]"],
  [fields("a: {type: string, enumNames: [B]}"), "MW3072 enumNames"],
  [fields("a: {type: string, oneOf: []}"), "MW3006 []"],
  [fields("a: {type: string, oneOf: [b]}"), "MW3074 b"],
  [fields("a: {type: string, oneOf: [{const: b}]}"), "MW3074 {const: b}"],
  [fields("a: {type: string, oneOf: [{const: 1, title: B}]}"), "MW3074 1"],
  [fields("a: {type: string, oneOf: [{const: b, title: B, minLength: 1}]}"), "MW3074 minLength"],
  [fields("a: {type: string, oneOf: [{const: b, title: B}, {const: b, title: C}]}"), "MW3022 b"],
  [fields("a: {type: integer, exclusiveMinimum: 0}"), "MW3072 exclusiveMinimum"],
  [fields("a: {type: integer, enum: [1, 2]}"), "MW3072 enum"],
  [fields('a: {type: integer, minimum: "1"}'), 'MW3006 "1"'],
  [fields("a: {type: integer, default: 1.5}"), "MW3026 1.5"],
  [fields("a: {type: boolean, const: true}"), "MW3072 const"],
  [fields("a: {type: boolean, titel: A}"), "MW3003 titel"],
];

for (const [form, ...found] of BAD_FORMS) {
  test(`refuses ${form}`, () => assert.equal(summarize(asking(`requestedSchema: ${form}`)), found));
}

const LISTS = ["resources", "resourceTemplates", "prompts"];

for (const list of LISTS) {
  test(`forms of ${list} are checked too`, () => {
    const form = "elicitations: {ask: {message: Which?, requestedSchema: {type: string}}}";
    const item = `{name: a, uri: "demo://a", uriTemplate: "demo://{a}", description: x, ${form}}`;
    const codes = diagnose(`name: demo\nversion: 1.0.0\n${list}: [${item}]\n`).map(
      ({ code }) => code,
    );
    assert.ok(codes.includes("MW3070"), codes.join());
  });
}

test("a question must be either a form or a page", () => {
  assert.equal(summarize(asking("")), ["MW2026 ask"]);
  const both = `url: "https://a.example/", requestedSchema: ${fields("")}`;
  assert.equal(summarize(asking(both)), ["MW2026 url"]);
});

test.run();
