import type { ToolHandler } from "../generated/index.ts";
import { askModel } from "../model/ask-model.ts";

/** Asks the client's model, whether or not the client offers it. */
export const testMissingCapability: ToolHandler<"test_missing_capability"> = (_input, ctx) =>
  askModel(ctx, "Are you there?");
