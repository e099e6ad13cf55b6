import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testTriggerPromptChange } from "../../src/tools/test-trigger-prompt-change.ts";

test("test_trigger_prompt_change switches the prompt off, and on again", async () => {
  const ctx = createTestContext();
  await testTriggerPromptChange({}, ctx);
  await testTriggerPromptChange({}, ctx);
  assert.equal(ctx.switched, [
    { kind: "prompt", name: "switched_prompt", enabled: false },
    { kind: "prompt", name: "switched_prompt", enabled: true },
  ]);
});

test.run();
