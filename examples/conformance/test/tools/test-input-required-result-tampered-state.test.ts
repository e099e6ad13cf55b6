import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testInputRequiredResultTamperedState } from "../../src/tools/test-input-required-result-tampered-state.ts";

test("test_input_required_result_tampered_state answers", async () => {
  const ctx = createTestContext(testInputRequiredResultTamperedState, { answers: { elicit: { confirm: { ok: false } } } });
  assert.is(await testInputRequiredResultTamperedState({}, ctx), "Confirmed: false");
});

test.run();
