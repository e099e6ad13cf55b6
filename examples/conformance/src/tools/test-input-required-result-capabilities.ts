import type { ToolHandler } from "../generated/index.ts";
import { askModel } from "../model/ask-model.ts";

/** Asks the user or the client's model, whichever the client offers. */
export const testInputRequiredResultCapabilities: ToolHandler<
  "test_input_required_result_capabilities"
> = async (_input, ctx) => {
  if (ctx.can.elicit) return `Hello, ${(await ctx.elicit.user_name()).name}!`;
  return askModel(ctx, "Say hello");
};
