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

test.run();
