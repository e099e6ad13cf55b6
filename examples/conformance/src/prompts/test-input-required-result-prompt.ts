import type { PromptHandler } from "../generated/index.ts";

/** A prompt for a context that the user gives. */
export const testInputRequiredResultPrompt: PromptHandler<
  "test_input_required_result_prompt"
> = async (_args, ctx) => {
  const { context } = await ctx.elicit.user_context();
  return `Use this context: ${context}`;
};
