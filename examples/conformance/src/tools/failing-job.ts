import { setTimeout as delay } from "node:timers/promises";
import { ToolError } from "@mcpwright/runtime";
import type { ToolHandler } from "../generated/index.ts";

/** Fails after a second, with words for the model. */
export const failingJob: ToolHandler<"failing_job"> = async (_input, ctx) => {
  await delay(1_000, undefined, { signal: ctx.signal });
  throw new ToolError("The job has failed, as it always does.");
};
