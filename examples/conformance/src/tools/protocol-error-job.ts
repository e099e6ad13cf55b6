import type { ToolHandler } from "../generated/index.ts";

/** Asks for folders. A client that has none gets an error of the protocol. */
export const protocolErrorJob: ToolHandler<"protocol_error_job"> = async (_input, ctx) => {
  const roots = await ctx.roots();
  return `You work in ${roots.length} folders.`;
};
