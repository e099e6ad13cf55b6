import { setTimeout as delay } from "node:timers/promises";
import type { ToolHandler } from "../generated/index.ts";

/** The time between two notes, in milliseconds: who misses a note can still have the task cancelled. */
const PAUSE_MS = 60_000;

/** Takes the oldest notes off the board, one a minute, once a person has said how many may stay. */
export const clearBoard: ToolHandler<"clear_board"> = async (_input, ctx) => {
  const { board } = ctx.services;
  const { notes: stay } = await ctx.elicit.keep();
  const spare = Math.max(0, (await board.notes()).length - stay);
  for (let taken = 1; taken <= spare; taken++) {
    await board.dropOldest();
    ctx.notify.resourceUpdated("board://notes");
    await ctx.progress(taken, spare, "Notes taken off the board");
    if (taken < spare) await delay(PAUSE_MS, undefined, { signal: ctx.signal });
  }
  return `Notes taken off the board: ${spare}.`;
};
