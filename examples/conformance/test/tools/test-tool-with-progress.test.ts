import { test } from "uvu";
import * as assert from "uvu/assert";
import { createTestContext } from "../generated/testing.ts";
import { testToolWithProgress } from "../../src/tools/test-tool-with-progress.ts";

test("test_tool_with_progress reports nothing, half and all", async () => {
  const ctx = createTestContext();
  await testToolWithProgress({}, ctx);
  assert.equal(
    ctx.reported.map(({ progress, total }) => [progress, total]),
    [
      [0, 100],
      [50, 100],
      [100, 100],
    ],
  );
});

test.run();
