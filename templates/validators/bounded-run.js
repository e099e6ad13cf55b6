/**
 * Bounds the effort of validators whose schemas lead back to themselves. Several alternatives would have their
 * functions ask the same of the same value again and again, twice as often at each level. So each function
 * keeps what it found of each object while a value is checked, and the number of calls is limited.
 */

/**
 * A function that others call.
 *
 * @typedef {object} CalledFunction
 * @property {readonly unknown[] | null} [errors]
 * @property {{ props?: unknown, items?: unknown }} [evaluated]
 */

/**
 * What a function found of a value, and what it evaluated of it.
 *
 * @typedef {object} Outcome
 * @property {CalledFunction} validate
 * @property {boolean} valid
 * @property {readonly unknown[] | null} errors
 * @property {unknown} props
 * @property {unknown} items
 * @property {Outcome | undefined} earlier what another function found of the same value before
 */

/**
 * One check of a value.
 *
 * @typedef {object} BoundedRun
 * @property {number} calls so many may still be made
 * @property {number} space so many outcomes may still be kept
 * @property {Map<unknown, Outcome>} outcomes by value, the newest; a map for each function would cost far more
 *   to fill
 */

/** @returns {BoundedRun} */
export function startRun() {
  return { calls: 0, space: 0, outcomes: new Map() };
}

/**
 * The outcome for a value that the function has met before; else counts a call.
 *
 * @param {BoundedRun} run
 * @param {CalledFunction} validate
 * @param {unknown} data
 * @throws the run itself, where no calls are left
 */
export function recall(run, validate, data) {
  let outcome = run.outcomes.get(data);
  while (outcome !== undefined && outcome.validate !== validate) outcome = outcome.earlier;
  if (outcome === undefined) {
    if (run.calls === 0) throw run;
    run.calls -= 1;
    return undefined;
  }
  validate.errors = outcome.errors;
  if (validate.evaluated !== undefined) {
    validate.evaluated.props = outcome.props;
    validate.evaluated.items = outcome.items;
  }
  return outcome.valid;
}

/**
 * Keeps an outcome that took calls of others: if alternatives asked again at each level, they would double the
 * work each time.
 *
 * @param {BoundedRun} run
 * @param {CalledFunction} validate
 * @param {unknown} data
 * @param {boolean} valid
 * @param {number} callsBefore how many calls were left before
 */
export function remember(run, validate, data, valid, callsBefore) {
  if (run.calls === callsBefore || run.space === 0) return valid;
  // The same object stands in one place, the same text in many.
  if (typeof data !== "object" || data === null) return valid;
  run.space -= 1;
  const { errors = null, evaluated } = validate;
  const earlier = run.outcomes.get(data);
  const { props, items } = evaluated ?? {};
  run.outcomes.set(data, { validate, valid, errors, props, items, earlier });
  return valid;
}

/**
 * Checks a value with bounded effort. What is not checked to the end is refused, wherever in the schema that
 * was.
 *
 * @param {BoundedRun} run
 * @param {CalledFunction} exported what gets the findings
 * @param {CalledFunction & ((data: unknown) => boolean)} validate
 * @param {unknown} data
 */
export function checkBounded(run, exported, validate, data) {
  run.calls = 200_000;
  run.space = 100_000;
  try {
    const valid = validate(data);
    exported.errors = validate.errors ?? null;
    return valid;
  } catch (error) {
    // Beside a spent run: the stack, which is a RangeError.
    if (error !== run && !(error instanceof RangeError)) throw error;
    const message = "is too deep or too costly to be checked";
    exported.errors = [{ instancePath: "", keyword: "cost", message }];
    return false;
  } finally {
    run.outcomes = new Map();
  }
}
