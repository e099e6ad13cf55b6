import type { ToolHandler } from "../generated/index.ts";

/** Puts a note on the board, and tells everybody who follows the board. */
export const postNote: ToolHandler<"post_note"> = async ({ text }, { services, notify }) => {
  await services.board.post(text);
  notify.resourceUpdated("board://notes");
  return "It is on the board.";
};
