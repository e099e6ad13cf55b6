import type { ToolHandler } from "../generated/index.ts";

/** Asks for two names at once. */
export const multiInput: ToolHandler<"multi_input"> = async (_input, ctx) => {
  const [first, second] = await Promise.all([ctx.elicit.first(), ctx.elicit.second()]);
  return `Hello, ${first.name} and ${second.name}!`;
};
