import { testUnless } from "./skipped-test.js";

/**
 * `npm run test:long` sets this. Its runs try everything that a test can try; `npm test` tries a
 * part, which changes with nothing but the code, so that it gives the same verdict each time.
 */
const isLongRun = process.env["TEST_LENGTH"] === "long";

/** How much a test tries: the first in `npm test`, the second in `npm run test:long`. */
export function shortOrLong<Amount>(short: Amount, long: Amount): Amount {
  return isLongRun ? long : short;
}

/** Declares a test that only the long form runs; there it is skipped where there is a reason to. */
export function longTestUnless(
  reason: string | undefined,
  title: string,
  check: () => void | Promise<void>,
): void {
  if (isLongRun) testUnless(reason, title, check);
}

/** Declares a test that only the long form runs; the comment above it names the test that stands for it in the short one. */
export function longTest(title: string, check: () => void | Promise<void>): void {
  longTestUnless(undefined, title, check);
}
