import type { ToolHandler } from "../generated/index.ts";

/** Writes a log message. */
export const testLoggingTool: ToolHandler<"test_logging_tool"> = (_input, ctx) => {
  ctx.log.info("a message of the logging tool");
  return "One message was logged.";
};
