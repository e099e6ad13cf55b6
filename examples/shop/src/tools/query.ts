import type { ToolHandler } from "../generated/index.ts";

/**
 * Runs one SQL statement that only reads, and answers its first 100 rows. The statement is the caller's: what it
 * may do is bounded by the database, which runs it alone in a read-only transaction for a role that is no
 * superuser, for as long as `timeoutMs` says.
 */
export const query: ToolHandler<"query"> = async ({ statement }, ctx) => {
  const answer = await ctx.databases.shop.query(statement);
  return answer.content();
};
