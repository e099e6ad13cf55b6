/**
 * Limits the time of validators with recursive schemas. With alternatives, functions would check the same value
 * repeatedly, and the number of checks would double at each level. So the outcomes of each function are cached
 * during a validation, and the number of calls is limited.
 */

/**
 * A validating function that others call.
 *
 * @typedef {object} CalledFunction
 * @property {readonly unknown[] | null} [errors]
 * @property {{ props?: unknown, items?: unknown }} [evaluated]
 */

/**
 * The result of a function for a value: its issues, and which parts of the value it evaluated.
 *
 * @typedef {object} Outcome
 * @property {CalledFunction} validate
 * @property {boolean} valid
 * @property {readonly unknown[] | null} errors
 * @property {unknown} props
 * @property {unknown} items
 * @property {Outcome | undefined} earlier the previous outcome of another function for the same value
 */

/**
 * The state of a validation.
 *
 * @typedef {object} BoundedRun
 * @property {number} calls the number of remaining calls
 * @property {number} space the number of outcomes that can still be cached
 * @property {Map<unknown, Outcome>} outcomes the latest outcome by value; a map for each function would be
 *   slower
 */

/** @returns {BoundedRun} */
export function startRun() {
  return { calls: 0, space: 0, outcomes: new Map() };
}

/**
 * Returns the cached outcome of the function for a value. If there is none, counts a call.
 *
 * @param {BoundedRun} run
 * @param {CalledFunction} validate
 * @param {unknown} data
 * @throws the run itself, if no calls remain
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
 * Caches an outcome for which the function called others: only repeating these would multiply at each level.
 *
 * @param {BoundedRun} run
 * @param {CalledFunction} validate
 * @param {unknown} data
 * @param {boolean} valid
 * @param {number} callsBefore the number of remaining calls at the start of the function
 */
export function remember(run, validate, data, valid, callsBefore) {
  if (run.calls === callsBefore || run.space === 0) return valid;
  // Unlike an object, an equal text may occur in many parts of the value.
  if (typeof data !== "object" || data === null) return valid;
  run.space -= 1;
  const { errors = null, evaluated } = validate;
  const earlier = run.outcomes.get(data);
  const { props, items } = evaluated ?? {};
  run.outcomes.set(data, { validate, valid, errors, props, items, earlier });
  return valid;
}

/**
 * Validates a value in limited time. If the limit is reached, the value is refused.
 *
 * @param {BoundedRun} run
 * @param {CalledFunction} exported the function whose `errors` are set
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
    // The limit of calls throws the run, and a stack overflow throws a RangeError.
    if (error !== run && !(error instanceof RangeError)) throw error;
    const message = "is too deep or too costly to be checked";
    exported.errors = [{ instancePath: "", keyword: "cost", message }];
    return false;
  } finally {
    run.outcomes = new Map();
  }
}
