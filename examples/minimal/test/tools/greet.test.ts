import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { greet } from "../../src/tools/greet.ts";
import { testOnceWritten } from "@mcpwright/runtime/testing";

await testOnceWritten(test, "greet answers", async () => {
  const answer = await greet({ name: "Ada" }, createTestContext());
  assert.is.not(answer, undefined);
});

test.run();
