import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../../src/generated/testing.js";
import { greet } from "../../src/tools/greet.js";
import { testOnceWritten } from "../generated/starter.js";

await testOnceWritten(test, "greet answers", async () => {
  const answer = await greet({ name: "Ada" }, createTestContext());
  assert.is.not(answer, undefined);
});

test.run();
