import { setTimeout as delay } from "node:timers/promises";
import type { ToolHandler } from "../generated/index.ts";

/** Reports progress while it runs. */
export const testToolWithProgress: ToolHandler<"test_tool_with_progress"> = async (_input, ctx) => {
  for (const done of [0, 50, 100]) {
    await ctx.progress(done, 100);
    await delay(50);
  }
  return "Progress was reported three times.";
};
