import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../../src/generated/testing.js";
import { countDown } from "../../src/tools/count-down.js";
import { testOnceWritten } from "../generated/starter.js";

await testOnceWritten(test, "count_down answers", async () => {
  const answer = await countDown({ from: 3 }, createTestContext());
  assert.is.not(answer, undefined);
});

test.run();
