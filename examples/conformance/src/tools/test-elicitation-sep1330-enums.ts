import type { ToolHandler } from "../generated/index.ts";

/** Asks the user with a form that has every kind of choice. */
export const testElicitationSep1330Enums: ToolHandler<"test_elicitation_sep1330_enums"> = async (_input, ctx) => {
  const choices = await ctx.elicit.choices();
  return `Elicitation completed: ${JSON.stringify(choices)}`;
};
