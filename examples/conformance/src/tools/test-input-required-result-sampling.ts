import type { ToolHandler } from "../generated/index.js";
import { askModel } from "../model/ask-model.js";

/** Asks the client's model for a capital. */
export const testInputRequiredResultSampling: ToolHandler<"test_input_required_result_sampling"> = (_input, ctx) =>
  askModel(ctx, "What is the capital of France?");
