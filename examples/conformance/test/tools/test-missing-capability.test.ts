import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testMissingCapability } from "../../src/tools/test-missing-capability.ts";

test("test_missing_capability answers", async () => {
  const ctx = createTestContext(testMissingCapability, { answers: { sample: "Yes" } });
  assert.is(await testMissingCapability({}, ctx), "Yes");
});

test.run();
