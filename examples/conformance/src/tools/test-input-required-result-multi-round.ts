import type { ToolHandler } from "../generated/index.ts";

/** Asks the user twice, one after the other. */
export const testInputRequiredResultMultiRound: ToolHandler<"test_input_required_result_multi_round"> = async (_input, ctx) => {
  const { name } = await ctx.elicit.step1();
  const { color } = await ctx.elicit.step2();
  return `${name} likes ${color}.`;
};
