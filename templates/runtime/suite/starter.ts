import { testText } from "./expectation.js";
import type { SkippingRegistry } from "./clients/probed-server.js";

/** The names of errors of handlers that cannot be tested yet: stubs, or those whose test lacks services or answers. */
const untestable = new Set(["NotImplementedError", "MissingServicesError", "MissingAnswerError"]);

/**
 * Registers the test of a handler. The test is skipped if the handler is still the generated stub, or the test does
 * not pass its services. To find that out, the test runs immediately. A test that passes everything can use `test`
 * of uvu.
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

/** Skips a test and prints why, and what would make it run. uvu prints neither. */
export function skip(test: SkippingRegistry, title: string, reason: string): void {
  test.skip(title);
  console.log(testText(`skipped: ${title} (${reason})`));
}
