import { setTimeout as delay } from "node:timers/promises";
import type { ToolHandler } from "../generated/index.ts";

/** Asks for a name before the task begins, and greets after a while. */
export const testToolWithTask: ToolHandler<"test_tool_with_task"> = async (_input, ctx) => {
  const { name } = await ctx.elicit.user_name();
  await delay(100, undefined, { signal: ctx.signal });
  return `Hello, ${name}!`;
};
