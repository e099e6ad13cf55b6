/**
 * Calls of functions of a validator by others, with limits: of the issues that a call returns, and, where schemas are
 * recursive or patterns slow, of the time. With alternatives, functions would check the same value repeatedly, and the
 * number of checks would double at each level. So the outcomes of each function are cached during a validation, and the
 * number of calls is limited.
 */

/**
 * A function that AJV has written.
 *
 * @typedef {((data: unknown, context?: object) => boolean) & Findings} Validate
 */

/**
 * What a function leaves beside its answer: the issues, and which parts of the value it evaluated.
 *
 * @typedef {object} Findings
 * @property {readonly unknown[] | null} [errors]
 * @property {{ props?: unknown, items?: unknown }} [evaluated]
 */

/**
 * The result of a function for a value.
 *
 * @typedef {object} Outcome
 * @property {Validate} validate
 * @property {boolean} valid
 * @property {readonly unknown[] | null} errors
 * @property {unknown} props
 * @property {unknown} items
 * @property {Outcome | undefined} earlier the previous outcome of another function for the same value
 */

/** The most issues that a call returns, since a hostile value could cause hundreds of thousands. With as many, loops end. */
export const MOST_ISSUES = 20;

/**
 * The most characters that a validation matches with slow patterns. It takes one to two seconds at most. In texts that are shorter
 * than a pattern allows, characters take less time, and count less.
 */
const MOST_CHARACTERS = 100_000;

/** Thrown when no calls remain, or no more texts can be matched. */
const TOO_COSTLY = new Error("too costly");

/** The state of the validation that is running; there is one at a time. */
const run = {
  /** The number of remaining calls. */
  calls: 0,
  /** What remains of `MOST_CHARACTERS`. */
  characters: 0,
  /** The number of outcomes that can still be cached. */
  space: 0,
  /** The latest outcome by value; a map for each function would be slower. @type {Map<unknown, Outcome>} */
  outcomes: new Map(),
};

/**
 * A function to which references lead.
 *
 * @param {Validate} validate
 * @returns {Validate}
 */
export function called(validate) {
  /** @type {Validate} */
  const call = (data, context) => {
    const valid = validate(data, context);
    leave(call, validate);
    return valid;
  };
  return call;
}

/**
 * A function to which references of a recursive schema lead.
 *
 * @param {Validate} validate
 * @returns {Validate}
 */
export function recalled(validate) {
  /** @type {Validate} */
  const call = (data, context) => {
    const outcome = outcomeOf(validate, data);
    if (outcome !== undefined) {
      // Callers change the list.
      call.errors = outcome.errors?.slice() ?? null;
      call.evaluated = { props: outcome.props, items: outcome.items };
      return outcome.valid;
    }
    if (run.calls === 0) throw TOO_COSTLY;
    run.calls -= 1;
    const callsBefore = run.calls;
    const valid = validate(data, context);
    leave(call, validate);
    // Only outcomes for which the function called others are cached: only repeating these would multiply.
    if (run.calls !== callsBefore) remember(validate, data, valid, call);
    return valid;
  };
  return call;
}

/**
 * @param {Findings} call
 * @param {Findings} validate
 */
function leave(call, { errors = null, evaluated }) {
  call.errors =
    errors !== null && errors.length > MOST_ISSUES ? errors.slice(0, MOST_ISSUES) : errors;
  if (evaluated !== undefined) call.evaluated = evaluated;
}

/**
 * The cached outcome of a function for a value.
 *
 * @param {Validate} validate
 * @param {unknown} data
 */
function outcomeOf(validate, data) {
  let outcome = run.outcomes.get(data);
  while (outcome !== undefined && outcome.validate !== validate) outcome = outcome.earlier;
  return outcome;
}

/**
 * @param {Validate} validate
 * @param {unknown} data
 * @param {boolean} valid
 * @param {Findings} call
 */
function remember(validate, data, valid, { errors = null, evaluated }) {
  // Unlike an object, an equal text may occur in many parts of the value.
  if (run.space === 0 || typeof data !== "object" || data === null) return;
  run.space -= 1;
  const earlier = run.outcomes.get(data);
  const { props, items } = evaluated ?? {};
  run.outcomes.set(data, {
    validate,
    valid,
    errors: errors?.slice() ?? null,
    props,
    items,
    earlier,
  });
}

/**
 * Whether a text matches a pattern that is quick for short texts only. Functions within a `bounded` one call it.
 *
 * @param {RegExp} pattern
 * @param {string} text
 * @param {number} longestText the length up to which the pattern is quick
 */
export function matchesSlowly(pattern, text, longestText) {
  run.characters -= text.length ** 2 / longestText;
  if (run.characters < 0) throw TOO_COSTLY;
  return pattern.test(text);
}

/**
 * A validator of a recursive schema, or one with slow patterns. It takes limited time: if a limit is reached, the value is
 * refused.
 *
 * @param {Validate} validate
 * @returns {Validate}
 */
export function bounded(validate) {
  /** @type {Validate} */
  const check = (data) => {
    run.calls = 200_000;
    run.characters = MOST_CHARACTERS;
    run.space = 100_000;
    try {
      const valid = validate(data);
      check.errors = validate.errors ?? null;
      return valid;
    } catch (error) {
      // A deep value can also overflow the stack.
      if (error !== TOO_COSTLY && !(error instanceof RangeError)) throw error;
      const message = "is too deep or too costly to be checked";
      check.errors = [{ instancePath: "", keyword: "cost", message }];
      return false;
    } finally {
      run.outcomes = new Map();
    }
  };
  return check;
}
