import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { slowCompute } from "../../src/tools/slow-compute.ts";

test("slow_compute answers", async () => {
  const answer = await slowCompute({ seconds: 0, label: "Nothing" }, createTestContext());
  assert.is(answer, "Nothing took 0 s.");
});

test.run();
