import type { ResourceHandler } from "../generated/index.ts";

/** The latest hundred notes, the newest first. */
export const notes: ResourceHandler<"notes"> = async (_uri, { services }) =>
  JSON.stringify(await services.board.notes());
