import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { countDown } from "../../src/tools/count-down.ts";
import { testOnceWritten } from "@mcpwright/runtime/testing";

await testOnceWritten(test, "count_down answers", async () => {
  const answer = await countDown({ from: 3 }, createTestContext());
  assert.is.not(answer, undefined);
});

test.run();
