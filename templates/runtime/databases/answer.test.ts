import { test } from "uvu";
import * as assert from "uvu/assert";
import { DatabaseAnswer } from "./answer.js";

test("the values are the first column as texts, without nulls", () => {
  const rows = [{ name: "a", id: 1 }, { name: null, id: 2 }, { name: 7 }, { name: ["x"] }, {}];
  const complete = new DatabaseAnswer("shop", { rows, isCut: false });
  assert.equal(complete.values(), { values: ["a", "7", '["x"]'], hasMore: false });
  const cut = new DatabaseAnswer("shop", { rows: rows.slice(0, 1), isCut: true });
  assert.equal(cut.values(), { values: ["a"], hasMore: true });
});

test("a result may be selected from the rows, or from the row", () => {
  const answer = new DatabaseAnswer("shop", { rows: [{ id: 1 }, { id: 2 }], isCut: false });
  const select = (rows: unknown): unknown => ({ count: (rows as unknown[]).length });
  assert.equal(answer.result({ select }), { count: 2 });
  const only = (row: unknown): unknown => ({ number: (row as { id: number }).id });
  assert.equal(answer.result({ row: true, select: only }), { number: 1 });
});

test.run();
