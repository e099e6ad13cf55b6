import type { ToolHandler } from "../generated/index.ts";

/** Asks the user with a message that the caller gives. */
export const testElicitation: ToolHandler<"test_elicitation"> = async ({ message }, ctx) => {
  const user = await ctx.elicit.user({ message });
  return `User response: ${JSON.stringify(user)}`;
};
