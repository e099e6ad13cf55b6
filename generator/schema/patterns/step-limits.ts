/**
 * The most steps for each character of a text. A step takes some nanoseconds, so that a message of 10 kB takes less than a
 * tenth of a second however it is divided into texts. A pattern such as `^a*a*$` may have texts of 2,000 characters.
 */
const STEPS_PER_CHARACTER = 6_200;
/** The same for each further character of a long text. */
const STEPS_PER_FURTHER_CHARACTER = 750;
const SHORT_TEXT = 2_000;

/** A pattern that is quick for shorter texts only is of use to nobody, and is too slow for the page, which does not cut texts. */
const LEAST_BOUND = 200;

/** The lengths for which the steps are counted: longer texts do not fit into a message. */
const LENGTHS = [20, LEAST_BOUND, SHORT_TEXT, 5_000, 1_000_000];

/**
 * The length, in characters, up to which texts are matched quickly: Infinity, if all are, and 0, if not even short ones are.
 *
 * @param stepsFor the most steps for a text of this length
 */
export function longestQuickText(stepsFor: (length: number) => number): number {
  const isQuick = (length: number): boolean => stepsFor(length) <= allowedSteps(length);
  const tooLong = LENGTHS.find((length) => !isQuick(length));
  if (tooLong === undefined) return Infinity;
  if (tooLong <= LEAST_BOUND) return 0;
  let [quick, slow] = [LENGTHS[LENGTHS.indexOf(tooLong) - 1] ?? 0, tooLong];
  // Two digits suffice.
  while (slow - quick > quick / 100) {
    const middle = Math.floor((quick + slow) / 2);
    if (isQuick(middle)) quick = middle;
    else slow = middle;
  }
  return quick;
}

export function allowedSteps(length: number): number {
  const further = Math.max(0, length - SHORT_TEXT);
  return STEPS_PER_CHARACTER * (length - further) + STEPS_PER_FURTHER_CHARACTER * further;
}
