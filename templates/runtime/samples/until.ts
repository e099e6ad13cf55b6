import { setTimeout as delay } from "node:timers/promises";

/** Milliseconds after which something that does not happen is given up; no machine is that slow. */
export const patience = 300_000;

/**
 * Resolves once a condition holds, which is looked at every few milliseconds, and less often the longer it takes.
 *
 * @throws Error when it does not hold within {@link patience}
 */
export async function until(condition: () => unknown): Promise<void> {
  const deadline = performance.now() + patience;
  for (let pause = 5; !(await condition()); pause = Math.min(50, pause * 1.2)) {
    if (performance.now() > deadline) throw new Error(`never came true: ${condition}`);
    await delay(pause);
  }
}
