import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testInputRequiredResultCapabilities } from "../../src/tools/test-input-required-result-capabilities.ts";

test("test_input_required_result_capabilities asks what the client offers", async () => {
  const answers = { elicit: { user_name: { name: "Ada" } }, sample: "Hi" };
  for (const [elicit, expected] of [
    [true, "Hello, Ada!"],
    [false, "Hi"],
  ] as const) {
    const ctx = createTestContext(testInputRequiredResultCapabilities, { answers, can: { elicit } });
    assert.is(await testInputRequiredResultCapabilities({}, ctx), expected);
  }
});

test.run();
