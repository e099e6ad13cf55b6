import { test } from "uvu";
import * as assert from "uvu/assert";
import { z } from "zod";
import type { JsonSchema } from "../../model/json.js";
import {
  argumentRows,
  fieldRows,
  furtherRules,
  localDescriptions,
  referenceDescriptions,
  typeInWords,
  type FieldRow,
} from "./schema-in-words.js";

test("schemas are described in words", () => {
  const words: [JsonSchema, string][] = [
    [true, "anything"],
    [false, "nothing"],
    [{}, "anything"],
    [{ type: "string", minLength: 1, maxLength: 80 }, "string, 1 to 80 characters"],
    [{ type: "string", minLength: 1 }, "string, at least 1 character"],
    [{ type: "array", minItems: 1, maxItems: 1 }, "list, exactly 1 item"],
    [{ type: ["string", "null"] }, "string or null"],
    [{ type: "integer", minimum: 1 }, "integer, at least 1"],
    [
      { type: "number", exclusiveMinimum: 0, maximum: 1, multipleOf: 0.1 },
      "number, at most 1, above 0, a multiple of 0.1",
    ],
    [
      { type: "array", items: { enum: ["a", 1] }, minItems: 2, maxItems: 2, uniqueItems: true },
      'list of one of "a", 1, exactly 2 items, no item twice',
    ],
    [{ $ref: "#/schemas/City" }, "City"],
    [{ $ref: "#/schemas/City/properties/zone" }, "zone of City"],
    [{ $ref: "#/$defs/a~1b" }, "a/b"],
    [{ $ref: "#" }, "the same again"],
    [{ anyOf: [{ type: "string" }, { const: null }] }, "string or null"],
    [
      { type: "object", additionalProperties: { type: "string" }, maxProperties: 3 },
      "object of string, at most 3 members",
    ],
    [
      {
        type: "object",
        patternProperties: { "^x_": { type: "string" } },
        additionalProperties: false,
      },
      "object of string",
    ],
    [
      { allOf: [{ $ref: "#/schemas/Base" }, { properties: { a: { type: "string" } } }] },
      "Base and { a?: string }",
    ],
    [
      { type: "array", prefixItems: [{ type: "string" }], items: { type: "integer", minimum: 0 } },
      "list [string; more of integer, at least 0]",
    ],
    [{ type: "string", format: "date", pattern: "^2" }, "string, date, matching ^2"],
    [
      { type: "string", format: "uuid", pattern: z.toJSONSchema(z.uuid()).pattern ?? "" },
      "string, uuid",
    ],
    [
      { type: "string", format: "sku", pattern: "^[A-Z]{3}-[0-9]{4}-[A-Z]{2}-[0-9]{4}-[A-Z]{2}$" },
      "string, sku, matching ^[A-Z]{3}-[0-9]{4}-[A-Z]{2}-[0-9]{4}-[A-Z]{2}$",
    ],
    [
      {
        type: "integer",
        minimum: Number.MIN_SAFE_INTEGER,
        maximum: Number.MAX_SAFE_INTEGER,
      },
      "integer",
    ],
    [{ type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER }, "integer, at least 1"],
  ];
  for (const [schema, expected] of words) assert.is(typeInWords(schema), expected);
});

test("alternatives that are objects are described by their fields", () => {
  const card: JsonSchema = {
    type: "object",
    title: "Card",
    properties: { kind: { const: "card" }, last4: { type: "string", maxLength: 4 } },
    required: ["kind", "last4"],
  };
  const days: JsonSchema = { type: "array", items: { type: "integer", minimum: 0 } };
  const invoice: JsonSchema = { properties: { kind: { const: "invoice" }, days } };
  assert.is(
    typeInWords({ oneOf: [card, invoice, { $ref: "#/schemas/Other" }, { type: "null" }] }),
    'Card { kind: "card", last4: string } or { kind?: "invoice", days?: list of integer, at least 0 } or Other or null',
  );
});

test("a long enumeration is cut, with the number of the other values", () => {
  const schema = { enum: Array.from({ length: 25 }, (_, index) => index) };
  assert.match(typeInWords(schema), /, 19 and 5 more$/);
});

test("the table of fields contains those of nested objects and lists, but follows no references", () => {
  const point: JsonSchema = { type: "object", properties: { x: { type: "number", default: 0 } } };
  const rows = fieldRows({
    properties: { at: point, all: { type: "array", items: point }, next: { $ref: "#" }, any: true },
    required: ["at"],
  });
  assert.equal(
    rows.map(({ name, type, required }) => `${name}: ${type}${required ? "!" : ""}`),
    [
      "at: object!",
      "at.x: number",
      "all: list of object",
      "all[].x: number",
      "next: the same again",
      "any: anything",
    ],
  );
  assert.is(rows[1]?.default, 0);
});

test("a property without a description has that of the schema that it refers to", () => {
  const $defs = { Day: { description: "One day" }, Sky: { title: "Sky" }, "a/b": { title: "Odd" } };
  const $ref = "#/$defs/Day";
  const rows = fieldRows(
    {
      properties: {
        day: { $ref },
        first: { $ref, description: "The first" },
        sky: { $ref: "#/$defs/Sky" },
        odd: { $ref: "#/$defs/a~1b" },
        city: { $ref: "#/schemas/City" },
        zone: { $ref: "#/schemas/City/properties/zone" },
        list: { type: "array", items: { properties: { day: { $ref } } } },
        none: { $ref: "#/$defs/None" },
      },
    },
    new Map([
      ...localDescriptions({ $defs }),
      ...referenceDescriptions("schemas", [
        ["City", { title: "City", properties: { zone: { description: "Time zone" } } }],
      ]),
    ]),
  );
  assert.equal(
    rows.map(({ name, description }) => `${name}: ${description}`),
    [
      "day: One day",
      "first: The first",
      "sky: Sky",
      "odd: Odd",
      "city: City",
      "zone: Time zone",
      "list: ",
      "list[].day: One day",
      "none: ",
    ],
  );
});

test("only arguments, not fields of results, are shown with their HTTP header", () => {
  const region: JsonSchema = { type: "string", "x-mcp-header": "Region" };
  const nested: JsonSchema = { type: "object", properties: { region } };
  const schema: JsonSchema = {
    properties: { city: { type: "string" }, region, at: nested, all: { items: nested } },
  };
  const headers = (rows: readonly FieldRow[]) =>
    rows.flatMap(({ name, header }) => (header === undefined ? [] : [`${name}: ${header}`]));
  assert.equal(headers(argumentRows(schema)), [
    "region: Mcp-Param-Region",
    "at.region: Mcp-Param-Region",
  ]);
  assert.equal(headers(fieldRows(schema)), []);
});

test("keywords that the table of fields cannot show are listed as further rules", () => {
  assert.is(
    furtherRules({ type: "object", properties: {}, additionalProperties: false }),
    undefined,
  );
  assert.equal(furtherRules({ type: "object", minProperties: 1 }), { minProperties: 1 });
});

test.run();
