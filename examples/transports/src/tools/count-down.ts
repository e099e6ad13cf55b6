import type { ToolHandler } from "../generated/index.ts";

export const countDown: ToolHandler<"count_down"> = async ({ from }, ctx) => {
  const numbers = Array.from({ length: from + 1 }, (_, step) => from - step);
  for (const [step, number] of numbers.entries()) {
    await ctx.progress(step + 1, numbers.length, String(number));
  }
  return numbers.join(", ");
};
