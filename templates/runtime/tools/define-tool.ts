import { cachedHandler, type ItemCode } from "../engine/define-item.js";
import { cachedImport } from "../engine/late.js";
import type { ToolEntry } from "./definition.js";
import type { ToolResult } from "./result.js";

/** A tool, as its module states it. `Input` and `Context` are the arguments of its handler, `Output` its result. */
export type ToolDefinition<Input, Output, Context> = Omit<ToolEntry, "handler"> &
  ItemCode<Input, Output | ToolResult<Output>, Context>;

/** Makes the entry of a tool in the server's tables. */
export function defineTool<Input, Output, Context>(
  tool: ToolDefinition<Input, Output, Context>,
): ToolEntry {
  const { handler: _handler, validators, ...rest } = tool;
  return { ...rest, ...cachedHandler(tool), validators: cachedImport(validators) };
}
