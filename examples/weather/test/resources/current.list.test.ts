import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../../src/generated/testing.js";
import { currentInstances } from "../../src/resources/current.list.js";
import { testOnceWritten } from "../generated/starter.js";

await testOnceWritten(test, "current lists its instances", async () => {
  const answer = await currentInstances(createTestContext());
  assert.is.not(answer, undefined);
});

test.run();
