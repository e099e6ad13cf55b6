import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testToolWithTask } from "../../src/tools/test-tool-with-task.ts";

test("test_tool_with_task answers", async () => {
  const ctx = createTestContext(testToolWithTask, { answers: { elicit: { user_name: { name: "Alice" } } } });
  assert.is(await testToolWithTask({}, ctx), "Hello, Alice!");
});

test.run();
