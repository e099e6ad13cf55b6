import type { ToolHandler } from "../generated/index.ts";

/** Changes the list of tools. */
export const testTriggerToolChange: ToolHandler<"test_trigger_tool_change"> = (_input, ctx) => {
  if (ctx.tools.isEnabled("switched_tool")) ctx.tools.disable("switched_tool");
  else ctx.tools.enable("switched_tool");
  return "The list of tools has changed.";
};
