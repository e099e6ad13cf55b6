import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { loadAverage } from "../../src/tools/load-average.ts";
import { testOnceWritten } from "@mcpwright/runtime/testing";

await testOnceWritten(test, "load_average answers", async () => {
  const answer = await loadAverage({}, createTestContext());
  assert.is.not(answer, undefined);
});

test.run();
