import type { AnswerMemory } from "../context/answer-memory.js";
import { after, recover, type Awaitable } from "../engine/awaitable.js";
import type { AnswerConnection } from "../memory/accounts.js";
import type { AnswerBudget } from "../memory/call-memory.js";
import type { Reservation } from "../memory/reservation.js";

/** Memory that is always free. */
export const freeMemory: AnswerMemory = {
  reserve: () => () => undefined,
  growing: () => ({ growTo: () => undefined, finish: () => undefined }),
  foresee: () => undefined,
  expect: () => undefined,
  take: () => undefined,
  waitedMs: () => 0,
};

/** Reserves memory for an answer. @throws ToolError if there is none in time */
export function reserve(
  budget: AnswerBudget,
  bytes: number,
  connection: AnswerConnection,
  isMade = false,
): Awaitable<Reservation> {
  const reservation = budget.reservation(connection);
  return recover(
    () => after(reservation.hold(bytes, isMade), () => reservation),
    (error) => {
      reservation.release();
      throw error;
    },
  );
}
