import type { ToolHandler } from "../generated/index.ts";
import { askModel } from "../model/ask-model.ts";

/** Asks the client's model for a capital. */
export const testInputRequiredResultSampling: ToolHandler<"test_input_required_result_sampling"> = (_input, ctx) =>
  askModel(ctx, "What is the capital of France?");
