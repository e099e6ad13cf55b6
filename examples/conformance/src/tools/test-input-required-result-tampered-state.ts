import type { ToolHandler } from "../generated/index.ts";

/** Asks the user to confirm, for a client that changes the state. */
export const testInputRequiredResultTamperedState: ToolHandler<"test_input_required_result_tampered_state"> = async (_input, ctx) => {
  const { ok } = await ctx.elicit.confirm();
  return `Confirmed: ${ok}`;
};
