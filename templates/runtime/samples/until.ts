import { setTimeout as delay } from "node:timers/promises";

/** How long tests wait before they fail, in milliseconds: long enough for any slow machine. */
export const patience = 300_000;

/**
 * Waits until a condition holds. Checks it every 5 milliseconds at first, and every 50 after a while.
 *
 * @throws Error if it does not hold within so many milliseconds
 */
export async function until(condition: () => unknown, milliseconds = patience): Promise<void> {
  const deadline = performance.now() + milliseconds;
  for (let pause = 5; !(await condition()); pause = Math.min(50, pause * 1.2)) {
    if (performance.now() > deadline) throw new Error(`never came true: ${condition}`);
    await delay(pause);
  }
}
