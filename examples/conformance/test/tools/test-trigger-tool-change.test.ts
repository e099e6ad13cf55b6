import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testTriggerToolChange } from "../../src/tools/test-trigger-tool-change.ts";

test("test_trigger_tool_change switches the tool off, and on again", async () => {
  const ctx = createTestContext();
  await testTriggerToolChange({}, ctx);
  await testTriggerToolChange({}, ctx);
  assert.equal(ctx.switched, [
    { kind: "tool", name: "switched_tool", enabled: false },
    { kind: "tool", name: "switched_tool", enabled: true },
  ]);
});

test.run();
