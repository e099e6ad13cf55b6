import { setTimeout as delay } from "node:timers/promises";
import type { ToolHandler } from "../generated/index.ts";

/** Takes as long as the caller says, and tells how far it is. */
export const slowCompute: ToolHandler<"slow_compute"> = async ({ seconds, label }, ctx) => {
  const steps = Math.min(10, Math.ceil(seconds));
  for (let step = 0; step < steps; step++) {
    await ctx.progress(step, steps, "Computing");
    await delay((seconds * 1_000) / steps, undefined, { signal: ctx.signal });
  }
  return `${label ?? "The computation"} took ${seconds} s.`;
};
