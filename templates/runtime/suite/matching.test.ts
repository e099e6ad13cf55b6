import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "./contract.js";
import { expectMatching, type ValueMatcher } from "./matching.js";

const seen: JsonObject = {
  structuredContent: {
    id: "0f9a",
    at: "2026-11-29T12:00:00Z",
    items: [
      { id: 1, name: "a" },
      { id: 2, name: "b" },
    ],
    "a/b": 1,
  },
};

const matches: readonly ValueMatcher[] = [
  { at: "/structuredContent/id", pattern: "^[0-9a-f]{4}$" },
  { at: "/structuredContent/at", type: "string" },
  { at: "/structuredContent/items/*/id", type: "integer" },
  { at: "/structuredContent/a~1b" },
];

/** The message of the failure for an answer whose structured content has these other members; undefined if it is right. */
function failureOf(members: JsonObject): string | undefined {
  const content = { ...(seen["structuredContent"] as JsonObject), ...members };
  try {
    expectMatching({ structuredContent: content }, seen, matches, "a call");
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

test("values that change may differ as far as their matchers allow it", () => {
  const items = [
    { id: 7, name: "a" },
    { id: 8, name: "b" },
  ];
  const changed = { id: "ffff", at: "later", items, "a/b": [null] };
  assert.is(failureOf({}), undefined);
  assert.is(failureOf(changed), undefined);
});

test("a value that its matcher refuses fails, and the message has its place", () => {
  const cases: readonly [JsonObject, string][] = [
    [
      { id: "0f9g" },
      'at /structuredContent/id: expected a text that matches ^[0-9a-f]{4}$, got "0f9g"',
    ],
    [{ id: 7 }, "at /structuredContent/id: expected a text that matches ^[0-9a-f]{4}$, got 7"],
    [{ at: null }, "at /structuredContent/at: expected a value of the type string, got null"],
    [
      {
        items: [
          { id: 1, name: "a" },
          { id: 1.5, name: "b" },
        ],
      },
      "at /structuredContent/items/1/id: expected a value of the type integer, got 1.5",
    ],
  ];
  for (const [members, message] of cases) assert.is(failureOf(members), `a call ${message}`);
});

test("everything else is compared: other values, absent ones and the lengths of lists", () => {
  const { id: _id, ...withoutId } = seen["structuredContent"] as JsonObject;
  const absent = (): void =>
    expectMatching({ structuredContent: withoutId }, seen, matches, "a call");
  assert.throws(absent, 'structuredContent at /id: expected "0f9a", got nothing');
  assert.match(failureOf({ items: [{ id: 1, name: "a" }] }) ?? "", "at /items/1: expected");
  const named = [
    { id: 1, name: "a" },
    { id: 2, name: "c" },
  ];
  assert.match(failureOf({ items: named }) ?? "", 'at /items/1/name: expected "b", got "c"');
});

test("a whole answer may be matched, and each type is told from the others", () => {
  const answer = { content: [{ type: "text", text: "at 12:00" }] };
  const whole = [{ at: "/content/0/text", pattern: "^at [0-9:]+$" }];
  const other = { content: [{ type: "text", text: "at 13:07" }] };
  expectMatching(other, answer, whole, "a call");
  const values = ["a", 1.5, true, {}, [], null];
  const types = ["string", "number", "boolean", "object", "array", "null"];
  for (const [index, value] of values.entries()) {
    const fitting = types.filter((type) => {
      try {
        expectMatching({ v: value }, { v: 0 }, [{ at: "/v", type }], "a call");
        return true;
      } catch {
        return false;
      }
    });
    assert.equal(fitting, [types[index]]);
  }
});

test.run();
