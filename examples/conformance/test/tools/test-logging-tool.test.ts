import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testLoggingTool } from "../../src/tools/test-logging-tool.ts";

test("test_logging_tool logs one message", async () => {
  const ctx = createTestContext();
  await testLoggingTool({}, ctx);
  assert.is(ctx.logged.length, 1);
});

test.run();
