import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testInputRequiredResultSampling } from "../../src/tools/test-input-required-result-sampling.ts";

test("test_input_required_result_sampling answers", async () => {
  const ctx = createTestContext(testInputRequiredResultSampling, { answers: { sample: "Paris" } });
  assert.is(await testInputRequiredResultSampling({}, ctx), "Paris");
});

test.run();
