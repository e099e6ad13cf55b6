import type { ToolHandler } from "../generated/index.ts";

/** Changes the list of prompts. */
export const testTriggerPromptChange: ToolHandler<"test_trigger_prompt_change"> = (_input, ctx) => {
  if (ctx.prompts.isEnabled("switched_prompt")) ctx.prompts.disable("switched_prompt");
  else ctx.prompts.enable("switched_prompt");
  return "The list of prompts has changed.";
};
