import type { ToolHandler } from "../generated/index.ts";

/** Counts the client's folders. */
export const testInputRequiredResultListRoots: ToolHandler<"test_input_required_result_list_roots"> = async (_input, ctx) => {
  const roots = await ctx.roots();
  return `${roots.length} roots: ${roots.map(({ uri }) => uri).join(", ")}`;
};
