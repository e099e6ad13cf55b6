import type { ToolHandler } from "../generated/index.ts";
import { askModel } from "../model/ask-model.ts";

/** Asks the client's model with a prompt that the caller gives. */
export const testSampling: ToolHandler<"test_sampling"> = async ({ prompt }, ctx) =>
  `LLM response: ${await askModel(ctx, prompt)}`;
