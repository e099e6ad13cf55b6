import { openBoard } from "./board/board.ts";
import type { Env } from "./generated/index.ts";

/** Made at start and given to every handler as `ctx.services`. */
export async function createServices(env: Env) {
  return { board: await openBoard(env.REDIS_URL) };
}

/** Called at stop, after the last request has been answered. */
export async function closeServices({
  board,
}: Awaited<ReturnType<typeof createServices>>): Promise<void> {
  await board.close();
}

/** Whether this process can be sent requests: not while the notes cannot be read. */
export async function ready({
  board,
}: Awaited<ReturnType<typeof createServices>>): Promise<boolean> {
  await board.notes();
  return true;
}
