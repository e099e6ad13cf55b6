import { ToolError, type ToolHandler } from "../generated/index.ts";
import { OutsideWorkspaceError } from "../workspace/workspace.ts";

/** Writes a text file inside the workspace folder; paths that lead out of it are refused. */
export const writeFile: ToolHandler<"write_file"> = async ({ path, content }, ctx) => {
  try {
    await ctx.services.workspace.write(path, content);
  } catch (error) {
    if (error instanceof OutsideWorkspaceError) throw new ToolError(error.message);
    throw error;
  }
  return `Wrote ${Buffer.byteLength(content)} bytes to ${path}`;
};
