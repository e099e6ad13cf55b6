import { setTimeout as delay } from "node:timers/promises";
import type { ToolHandler } from "../generated/index.ts";

/** Writes three log messages while it runs. */
export const testToolWithLogging: ToolHandler<"test_tool_with_logging"> = async (_input, ctx) => {
  for (const message of ["Tool execution started", "Tool processing data", "Tool completed"]) {
    ctx.log.info(message);
    await delay(50);
  }
  return "Three messages were logged.";
};
