import type { ToolHandler } from "../generated/index.ts";

/** Deletes nothing, and only if the user agrees. */
export const confirmDelete: ToolHandler<"confirm_delete"> = async ({ filename }, ctx) => {
  const { confirm } = await ctx.elicit.sure({ filename });
  return confirm ? `${filename} is deleted.` : `${filename} is kept.`;
};
