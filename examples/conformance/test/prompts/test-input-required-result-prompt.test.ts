import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testInputRequiredResultPrompt } from "../../src/prompts/test-input-required-result-prompt.ts";

test("test_input_required_result_prompt answers", async () => {
  const ctx = createTestContext(testInputRequiredResultPrompt, { answers: { elicit: { user_context: { context: "a test" } } } });
  assert.is(await testInputRequiredResultPrompt({}, ctx), "Use this context: a test");
});

test.run();
