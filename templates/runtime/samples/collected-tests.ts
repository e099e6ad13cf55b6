import type { SkippingRegistry } from "../suite/clients/probed-server.js";

/** Collects tests instead of running them. */
export class CollectedTests {
  readonly tests: { title: string; run: () => Promise<void> }[] = [];
  readonly skipped: string[] = [];
  #after: (() => Promise<void>)[] = [];

  readonly registry: SkippingRegistry = Object.assign(
    (title: string, run: () => Promise<void>) => void this.tests.push({ title, run }),
    {
      after: (run: () => Promise<void>) => void this.#after.push(run),
      skip: (title: string) => void this.skipped.push(title),
    },
  );

  /** Returns the titles of the tests that fail, with their messages. */
  async failures(): Promise<string[]> {
    const failed: string[] = [];
    for (const { title, run } of this.tests) {
      await run().catch((error: unknown) => failed.push(`${title}: ${String(error)}`));
    }
    for (const run of this.#after) await run();
    return failed;
  }
}

/** Returns the lines that `console.log` gets while a function runs, which are not printed. */
export async function printedWhile(run: () => Promise<void>): Promise<string[]> {
  const lines: string[] = [];
  const { log } = console;
  console.log = (line: string) => void lines.push(line);
  try {
    await run();
  } finally {
    console.log = log;
  }
  return lines;
}
