import { suite, test } from "uvu";

/**
 * Declares a test that is not run here, with the reason. The runner counts it, shows the reason,
 * and refuses a skipped test without one.
 */
export function skipTest(title: string, reason: string): void {
  console.log(`skipped: ${title} (${reason})`);
  test.skip(title);
}

/** Declares a test that is skipped where there is a reason to. */
export function testUnless(
  reason: string | undefined,
  title: string,
  check: () => void | Promise<void>,
): void {
  if (reason === undefined) test(title, check);
  else skipTest(title, reason);
}

/**
 * Runs the tests of a suite, or declares that all of them are skipped where there is a reason to.
 *
 * @param title what the tests are about
 */
export function runUnless(reason: string | undefined, title: string, tests: { run(): void }): void {
  if (reason === undefined) return tests.run();
  console.log(`skipped: all tests of ${title} (${reason})`);
  const skipped = suite(title);
  skipped.skip("all tests");
  skipped.run();
}

/** Why tests of links, pipes and modes are skipped on Windows. */
export const onWindows =
  process.platform === "win32" ? "Windows has no such links, pipes and modes" : undefined;
