import { suite } from "uvu";
import * as assert from "uvu/assert";
import { interleave } from "./interleaved-principals/interleave.js";
import { shortOrLong } from "../../harness/runner/test-length.js";

const test = suite("two concurrent callers");

test("no data of one caller reaches another, over any transport", async () => {
  const { calls, wrong, updates } = await interleave(shortOrLong(250, 20_000), 1);
  assert.equal(wrong, []);
  assert.ok(updates > 0, "somebody was told of a change");
  const transports = new Set([...calls.keys()].map((kind) => kind.split(",")[0]));
  assert.is(transports.size, 7);
});

test.run();
