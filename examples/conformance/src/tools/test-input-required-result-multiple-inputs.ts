import type { ToolHandler } from "../generated/index.ts";
import { askModel } from "../model/ask-model.ts";

/** Asks the user, the client's model and for its folders at once. */
export const testInputRequiredResultMultipleInputs: ToolHandler<
  "test_input_required_result_multiple_inputs"
> = async (_input, ctx) => {
  const [{ name }, greeting, roots] = await Promise.all([
    ctx.elicit.user_name(),
    askModel(ctx, "Generate a greeting"),
    ctx.roots(),
  ]);
  return `${greeting} ${name}, you work in ${roots.length} folders.`;
};
