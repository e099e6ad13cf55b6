/**
 * `npm run test:long` sets this. Its runs try everything that a test can try; `npm test` tries a
 * part, which changes with nothing but the code, so that it gives the same verdict each time.
 */
const isLongRun = process.env["TEST_LENGTH"] === "long";

/** How much a test tries: the first in `npm test`, the second in `npm run test:long`. */
export function shortOrLong<Amount>(short: Amount, long: Amount): Amount {
  return isLongRun ? long : short;
}
