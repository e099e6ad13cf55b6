import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../../src/generated/testing.js";
import { currentCompletion } from "../../src/resources/current.complete.js";
import { testOnceWritten } from "../generated/starter.js";

await testOnceWritten(test, "current completes city", async () => {
  const answer = await currentCompletion["city"]({ value: "", given: {} }, createTestContext());
  assert.is.not(answer, undefined);
});

test.run();
