import { test } from "uvu";
import * as assert from "uvu/assert";
import { Masking } from "../backends/masking.js";
import { UpstreamAnswer } from "./answer.js";

function answered(value: unknown, status = 200): UpstreamAnswer {
  const body = Buffer.from(JSON.stringify(value));
  const headers = { "content-type": "application/json" };
  return new UpstreamAnswer("api", { status, headers, body, isTruncated: false }, new Masking());
}

test("values are the texts and numbers of a list, or a member of each object in it", () => {
  assert.equal(answered(["a", 1, null, {}, true]).values(), ["a", "1"]);
  const found = { items: [{ name: "a" }, { name: 2 }, { other: "x" }, "y", null] };
  assert.equal(answered(found).values("/items", "name"), ["a", "2"]);
  assert.equal(answered([{ "a/b": "c", toString: "d" }]).values("", "a/b"), ["c"]);
  assert.equal(answered([{}]).values("", "toString"), []);
});

test("an answer without a list has no values", () => {
  for (const value of [{ items: [] }, "text", null]) {
    assert.throws(() => answered(value).values(), "has no list where one is due");
  }
  assert.throws(() => answered({}).values("/items"), "has nothing at /items");
  assert.throws(() => answered([], 500).values(), "answered 500");
});

test("what an upstream says is wrong may be a text, an object or a list of them", () => {
  for (const [said, message] of [
    [{ message: "a" }, ": a"],
    [{ error: { message: "b" } }, ": b"],
    [{ message: ["c", "", "d"] }, ": c; d"],
    [{ detail: [{ loc: ["body"], msg: "field required" }, { msg: 1 }, null] }, ": field required"],
    [{ message: [[["e"]]], title: {} }, "."],
  ] as const) {
    assert.is(
      answered(said, 422).failure().message,
      `The upstream api answered 422 Unprocessable Entity${message}`,
    );
  }
});

test.run();
