import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testToolWithLogging } from "../../src/tools/test-tool-with-logging.ts";

test("test_tool_with_logging logs three messages", async () => {
  const ctx = createTestContext();
  await testToolWithLogging({}, ctx);
  assert.equal(
    ctx.logged.map(({ level }) => level),
    ["info", "info", "info"],
  );
});

test.run();
