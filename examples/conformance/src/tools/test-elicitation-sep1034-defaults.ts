import type { ToolHandler } from "../generated/index.ts";

/** Asks the user with a form that has a default for each kind of field. */
export const testElicitationSep1034Defaults: ToolHandler<"test_elicitation_sep1034_defaults"> = async (_input, ctx) => {
  const profile = await ctx.elicit.profile();
  return `Elicitation completed: ${JSON.stringify(profile)}`;
};
