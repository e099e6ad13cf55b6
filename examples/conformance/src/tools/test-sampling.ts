import type { ToolHandler } from "../generated/index.js";
import { askModel } from "../model/ask-model.js";

/** Asks the client's model with a prompt that the caller gives. */
export const testSampling: ToolHandler<"test_sampling"> = async ({ prompt }, ctx) =>
  `LLM response: ${await askModel(ctx, prompt)}`;
