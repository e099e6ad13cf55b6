import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testInputRequiredResultElicitation } from "../../src/tools/test-input-required-result-elicitation.ts";

test("test_input_required_result_elicitation answers", async () => {
  const ctx = createTestContext(testInputRequiredResultElicitation, { answers: { elicit: { user_name: { name: "Ada" } } } });
  assert.is(await testInputRequiredResultElicitation({}, ctx), "Hello, Ada!");
});

test.run();
