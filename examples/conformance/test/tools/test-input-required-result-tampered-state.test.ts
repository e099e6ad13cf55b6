import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../../src/generated/testing.js";
import { testInputRequiredResultTamperedState } from "../../src/tools/test-input-required-result-tampered-state.js";

test("test_input_required_result_tampered_state answers", async () => {
  const ctx = createTestContext(testInputRequiredResultTamperedState, { answers: { elicit: { confirm: { ok: false } } } });
  assert.is(await testInputRequiredResultTamperedState({}, ctx), "Confirmed: false");
});

test.run();
