import type { ToolHandler } from "../generated/index.ts";

/** Takes post_note away in every process, or gives it back. */
export const closeBoard: ToolHandler<"close_board"> = ({ isClosed }, { tools }) => {
  if (isClosed) tools.disable("post_note");
  else tools.enable("post_note");
  return isClosed ? "The board is closed." : "The board is open.";
};
