import type { ToolHandler } from "../generated/index.ts";

/** Greets the user by name. The suite also answers before it is asked, so the question has a fixed key. */
export const testInputRequiredResultElicitation: ToolHandler<"test_input_required_result_elicitation"> = async (_input, ctx) => {
  const { name } = await ctx.elicit.user_name({}, { key: "user_name" });
  return `Hello, ${name}!`;
};
