import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testInputRequiredResultRequestState } from "../../src/tools/test-input-required-result-request-state.ts";

test("test_input_required_result_request_state answers", async () => {
  const ctx = createTestContext(testInputRequiredResultRequestState, { answers: { elicit: { confirm: { ok: true } } } });
  assert.is(await testInputRequiredResultRequestState({}, ctx), "state-ok: true");
});

test.run();
