import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testSampling } from "../../src/tools/test-sampling.ts";

test("test_sampling answers", async () => {
  const ctx = createTestContext(testSampling, { answers: { sample: "Hello" } });
  assert.is(await testSampling({ prompt: "Hi" }, ctx), "LLM response: Hello");
});

test.run();
