import type { ToolHandler } from "../generated/index.ts";

/** Asks the user to confirm. That the handler gets this far says that the state was right. */
export const testInputRequiredResultRequestState: ToolHandler<"test_input_required_result_request_state"> = async (_input, ctx) => {
  const { ok } = await ctx.elicit.confirm();
  return `state-ok: ${ok}`;
};
