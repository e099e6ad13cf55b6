import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { calculateSum } from "../../src/tools/calculate-sum.ts";

test("adds", async () => {
  assert.equal(await calculateSum({ numbers: [1, -2, 3.5] }, createTestContext()), { sum: 2.5 });
});

test.run();
