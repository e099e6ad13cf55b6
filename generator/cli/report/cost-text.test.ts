import { test } from "uvu";
import * as assert from "uvu/assert";
import type { ItemCost, ListCost } from "../../model/list-cost.js";
import { costText, reportedCost } from "./cost-text.js";

const plain = (_style: unknown, text: string): string => text;

function costOf(tokens: Readonly<Record<string, number>>): ListCost {
  const items = Object.entries(tokens).map(([name, count]): ItemCost => {
    return { kind: "tool", name, tokens: count, costliest: { member: "name", tokens: count } };
  });
  return { tokens: items.reduce((sum, item) => sum + item.tokens, 0), items };
}

test("without a former state the costliest items are named", () => {
  const cost = costOf({ a: 1, b: 2_000, c: 3, d: 4, e: 5, f: 6 });
  assert.is(
    costText(cost, undefined, plain),
    `What the lists cost a model: 2,019 tokens
  tool b: 2,000
  tool f: 6
  tool e: 5
  tool d: 4
  tool c: 3
`,
  );
});

test("with a former state the items are named whose cost has changed, new and removed ones too", () => {
  const text = costText(costOf({ a: 10, b: 7, d: 3 }), costOf({ a: 10, b: 9, c: 1_500 }), plain);
  assert.is(
    text,
    `What the lists cost a model: 20 tokens (-1,499)
  tool c: 0 (-1,500)
  tool d: 3 (+3)
  tool b: 7 (-2)
`,
  );
});

test("of many changes five are named", () => {
  const now = costOf({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7 });
  assert.match(costText(now, costOf({}), plain), /tool c: 3 \(\+3\)\n {2}and 2 more\n$/);
});

test("names cannot write control characters, and an empty server costs nothing", () => {
  assert.ok(!costText(costOf({ "a\u001b[2J": 1 }), undefined, plain).includes("\u001b"));
  assert.is(costText(costOf({}), undefined, plain), "");
});

test("the JSON document lists every item with its tokens now and before", () => {
  assert.equal(reportedCost(costOf({ a: 1 }), costOf({ b: 2 })), {
    lists: 1,
    before: 2,
    items: [
      { kind: "tool", name: "a", tokens: 1, before: 0 },
      { kind: "tool", name: "b", tokens: 0, before: 2 },
    ],
  });
  assert.equal(reportedCost(costOf({ a: 1 }), undefined), {
    lists: 1,
    items: [{ kind: "tool", name: "a", tokens: 1 }],
  });
});

test.run();
