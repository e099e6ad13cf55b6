import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testInputRequiredResultMultipleInputs } from "../../src/tools/test-input-required-result-multiple-inputs.ts";

test("test_input_required_result_multiple_inputs answers", async () => {
  const ctx = createTestContext(testInputRequiredResultMultipleInputs, { answers: { elicit: { user_name: { name: "Ada" } }, sample: "Welcome", roots: [] } });
  assert.is(await testInputRequiredResultMultipleInputs({}, ctx), "Welcome Ada, you work in 0 folders.");
});

test.run();
