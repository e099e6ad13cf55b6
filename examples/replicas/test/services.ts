import { OwnBoard } from "../src/board/board.ts";
import type { Services } from "../src/generated/index.ts";

/** What the generated tests give to handlers as `ctx.services`: a board of their own. */
export const services: Partial<Services> = { board: new OwnBoard() };
