import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../../src/generated/testing.js";
import { loadAverage } from "../../src/tools/load-average.js";
import { testOnceWritten } from "../generated/starter.js";

await testOnceWritten(test, "load_average answers", async () => {
  const answer = await loadAverage({}, createTestContext());
  assert.is.not(answer, undefined);
});

test.run();
