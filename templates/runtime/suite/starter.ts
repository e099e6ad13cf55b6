import { testText } from "./expectation.js";
import type { SkippingRegistry } from "./clients/probed-server.js";

/** What a handler throws that cannot be tested yet: it is a stub, or wants services or answers of the test. */
const untestable = new Set(["NotImplementedError", "MissingServicesError", "MissingAnswerError"]);

/**
 * Registers the test of a handler, or skips it while the handler is still the generated stub or its
 * services are not passed. To know that, the test is run at once; for a test that passes all that the
 * handler needs, plain `test` will do.
 */
export async function testOnceWritten(
  test: SkippingRegistry,
  title: string,
  run: () => Promise<void>,
): Promise<void> {
  const [outcome] = await Promise.allSettled([run()]);
  const error: unknown = outcome.status === "rejected" ? outcome.reason : undefined;
  if (error instanceof Error && untestable.has(error.name)) {
    return skip(test, title, error.message);
  }
  test(testText(title), async () => {
    if (outcome.status === "rejected") throw error;
  });
}

/** Leaves a test out and says why, and what would make it run; uvu itself does not. */
export function skip(test: SkippingRegistry, title: string, reason: string): void {
  test.skip(title);
  console.log(testText(`skipped: ${title} (${reason})`));
}
