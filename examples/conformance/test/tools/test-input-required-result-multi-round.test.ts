import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testInputRequiredResultMultiRound } from "../../src/tools/test-input-required-result-multi-round.ts";

test("test_input_required_result_multi_round answers", async () => {
  const ctx = createTestContext(testInputRequiredResultMultiRound, { answers: { elicit: { step1: { name: "Ada" }, step2: { color: "green" } } } });
  assert.is(await testInputRequiredResultMultiRound({}, ctx), "Ada likes green.");
});

test.run();
