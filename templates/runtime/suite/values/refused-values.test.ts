import type { QuestionContract } from "../items/question-contract.js";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject, ToolContract } from "../contract.js";
import { refusedAnswers } from "../items/questions.js";
import { refusedArguments, refusedResults } from "./refused-values.js";

/** What the suites send that must be refused. */

const inputSchema: JsonObject = {
  type: "object",
  properties: {
    days: { type: "integer", minimum: 1, maximum: 3 },
    unit: { enum: ["C", "F"] },
    "a/b": { type: "string", maxLength: 2 },
  },
  required: ["days"],
  additionalProperties: false,
};

const tool: ToolContract = {
  name: "forecast",
  accepted: [{ arguments: { days: 1 } }, { arguments: { days: 1, unit: "C", "a/b": "ab" } }],
  refused: [{ breaks: "/not", value: { days: 2 } }],
  examples: [],
  untested: [],
};

function listOf(schema: JsonObject, accepted: readonly JsonObject[]): unknown[] {
  const contract = { ...tool, accepted: accepted.map((values) => ({ arguments: values })) };
  return refusedArguments({ ...contract, refused: [] }, { inputSchema: schema }).map(
    ({ breaks }) => breaks,
  );
}

test("arguments: each constraint that shows how it is broken, then what the contract holds", () => {
  const all = refusedArguments(tool, { inputSchema });
  const full = { days: 1, unit: "C", "a/b": "ab" };
  assert.equal(
    all.map(({ breaks, value, says }) => [breaks, value, says]),
    [
      ["/required/0", {}, "must have required property 'days'"],
      [
        "/additionalProperties",
        { days: 1, unexpected: true },
        "must NOT have additional properties: unexpected",
      ],
      ["/properties/days/type", { days: 1.5 }, "days: must be integer"],
      ["/properties/days/type", { days: "1" }, "days: must be integer"],
      ["/properties/days/minimum", { days: 0 }, "days: must be >= 1"],
      ["/properties/days/maximum", { days: 4 }, "days: must be <= 3"],
      [
        "/properties/unit/enum",
        { ...full, unit: "not C" },
        'unit: must be equal to one of the allowed values ["C","F"]',
      ],
      ["/properties/a~1b/type", { ...full, "a/b": 1.5 }, "a~1b: must be string"],
      ["/properties/a~1b/type", { ...full, "a/b": null }, "a~1b: must be string"],
      [
        "/properties/a~1b/maxLength",
        { ...full, "a/b": "tex" },
        "a~1b: must NOT have more than 2 characters",
      ],
      ["/not", { days: 2 }, undefined],
    ],
  );
});

test("nothing is made where other keywords have a say, or where no accepted value has the place", () => {
  const members = { a: { type: "string" } };
  const object = { type: "object", properties: members };
  assert.equal(listOf(object, [{}]), []);
  assert.equal(listOf(object, [{ a: "x" }]), ["/properties/a/type", "/properties/a/type"]);
  for (const keyword of ["$ref", "anyOf", "not", "if", "patternProperties", "dependentRequired"]) {
    assert.equal(listOf({ ...object, [keyword]: {} }, [{ a: "x" }]), [], keyword);
  }
  assert.equal(listOf({ ...object, enum: [{ a: "x" }] }, [{ a: "x" }]), []);
  const text = { type: "string", pattern: "^x", maxLength: 3 };
  const type = "/properties/a/type";
  assert.equal(listOf({ properties: { a: text } }, [{ a: "x" }]), [type, type]);
});

test("an object's member with a number for a name is no item", () => {
  const object = { type: "object", properties: { "0": {} }, items: { type: "string" } };
  assert.equal(listOf({ properties: { a: object } }, [{ a: { "0": "x" } }]), [
    "/properties/a/type",
  ]);
});

test("choices may be objects that have no text", () => {
  const choices = { enum: ["x", [{ toString: null }]] };
  const properties = { a: choices };
  assert.equal(listOf({ properties }, [{ a: "x" }]), ["/properties/a/enum"]);
});

test("a bound between whole numbers is no value of a format of whole numbers", () => {
  const properties = { a: { type: "number", exclusiveMaximum: 1.5, format: "int32" } };
  assert.equal(
    listOf({ properties }, [{ a: 1 }]).filter((breaks) => breaks !== "/properties/a/type"),
    [],
  );
});

test("long texts are tried too", () => {
  const properties = {
    a: { type: "string", maxLength: 7_000 },
    b: { type: "string", maxLength: 1e9 },
  };
  const all = refusedArguments(
    { ...tool, accepted: [{ arguments: { a: "", b: "" } }], refused: [] },
    { inputSchema: { type: "object", properties } },
  ).filter(({ breaks }) => breaks.endsWith("maxLength"));
  assert.equal(
    all.map(({ value }) => String((value as JsonObject)["a"]).length),
    [7_001],
  );
});

test("lists that are too long are made of the smallest item, and none of very many values", () => {
  const list = { type: "array", items: { type: "array" }, maxItems: 100 };
  const schema = { type: "object", properties: { list } };
  const many = Array.from({ length: 30 }, () => 1);
  const ofLists = (lists: readonly JsonObject[]): unknown[] =>
    listOf(schema, lists).filter((breaks) => breaks === "/properties/list/maxItems");
  assert.equal(ofLists([{ list: [many] }]), []);
  assert.equal(ofLists([{ list: [many] }, { list: [[1]] }]), ["/properties/list/maxItems"]);
});

test("unions: each alternative with the values of its type, and what is of no type of them", () => {
  const either = { anyOf: [{ type: "integer", minimum: 1 }, { type: "string" }], default: 1 };
  const one = { type: "object", properties: { either }, required: ["either"] };
  const accepted = [{ either: 1 }, { either: "x" }].map((values) => ({ arguments: values }));
  const all = refusedArguments({ ...tool, accepted, refused: [] }, { inputSchema: one });
  const neither = "either: must be integer or string";
  assert.equal(
    all
      .slice(1)
      .map(({ breaks, value, says }) => [breaks.slice(18), (value as JsonObject)["either"], says]),
    [
      ["/anyOf", 1.5, neither],
      ["/anyOf", null, neither],
      ["/anyOf/0/type", 1.5, neither],
      ["/anyOf/0/type", null, neither],
      ["/anyOf/0/minimum", 0, "either: must be >= 1"],
      ["/anyOf/1/type", null, neither],
      ["/anyOf/1/type", 1.5, neither],
    ],
  );
  for (const union of [
    { anyOf: [{ type: "integer" }, { type: "number" }] },
    { oneOf: [{ type: "string", const: "a" }, { type: "integer" }] },
    { anyOf: [{ type: "string" }, { type: "integer" }], not: {} },
    { anyOf: [{ type: ["string", "null"] }, { type: "integer" }] },
  ]) {
    assert.equal(listOf({ type: "object", properties: { a: union } }, [{ a: 1 }]), []);
  }
});

test("results: lists and what is in them, with the words of the log", () => {
  const item = { type: "object", properties: { "q\\": { type: "boolean" } }, required: ["q\\"] };
  const outputSchema = { type: "array", items: item, minItems: 1, maxItems: 2 };
  const output = { accepted: [[{ "q\\": true }]], refused: [] };
  const all = refusedResults({ ...tool, output }, { outputSchema });
  assert.equal(
    all.map(({ breaks, value, says }) => [breaks, value, says]),
    [
      ["/type", {}, "/: type"],
      ["/type", "text", "/: type"],
      ["/minItems", [], "/: minItems"],
      ["/maxItems", [{ "q\\": true }, { "q\\": true }, { "q\\": true }], "/: maxItems"],
      ["/items/type", [[]], "/0: type"],
      ["/items/type", [null], "/0: type"],
      ["/items/required/0", [{}], "/0: required"],
      // In the log, this name is escaped.
      ["/items/properties/q\\/type", [{ "q\\": "true" }], undefined],
      ["/items/properties/q\\/type", [{ "q\\": 0 }], undefined],
    ],
  );
  assert.equal(refusedResults(tool, {}), []);
});

test("answers to forms", () => {
  const question: QuestionContract = {
    key: "sure",
    values: {},
    params: { requestedSchema: { type: "object", properties: { ok: { type: "boolean" } } } },
    accepted: [{ content: { ok: true }, received: { ok: true } }],
    refused: [{ breaks: "/else", value: {} }],
  };
  assert.equal(
    refusedAnswers(question).map(({ breaks }) => breaks),
    ["/properties/ok/type", "/properties/ok/type", "/else"],
  );
  assert.equal(refusedAnswers({ ...question, params: { mode: "url" }, refused: [] }), []);
});

test.run();
