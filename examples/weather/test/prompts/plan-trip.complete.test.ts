import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../../src/generated/testing.js";
import { planTripCompletion } from "../../src/prompts/plan-trip.complete.js";
import { testOnceWritten } from "../generated/starter.js";

await testOnceWritten(test, "plan_trip completes city", async () => {
  const answer = await planTripCompletion["city"]({ value: "", given: {} }, createTestContext());
  assert.is.not(answer, undefined);
});

test.run();
