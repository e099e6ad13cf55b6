/** Shared code of all validators: collecting issues, and the simplest checks. */

/**
 * The issues that a function of a validator found.
 *
 * @typedef {object} Issues
 * @property {number} count the number of all issues, including those that are not in the list
 * @property {unknown[]} list the first issues
 */

/** Most issues in a list, since a hostile value could cause hundreds of thousands. */
const MOST_ISSUES = 20;

/**
 * Counts an issue, and adds it to the list unless that is full.
 *
 * @param {Issues} issues
 * @param {unknown} issue
 */
export function noteIssue(issues, issue) {
  issues.count += 1;
  if (issues.list.length < MOST_ISSUES) issues.list.push(issue);
}

/**
 * Adds an issue with a message for the caller who sent the value.
 *
 * @param {Issues} issues
 * @param {string} instancePath JSON pointer to the invalid part of the value
 * @param {string} message
 * @param {object} [details] the keyword and its parameters, if the message alone is not enough
 */
export function addIssue(issues, instancePath, message, details) {
  noteIssue(issues, { instancePath, ...details, message });
}

/**
 * Ends a validation: sets `errors`, and returns whether the value is valid.
 *
 * @param {{ errors?: readonly unknown[] | null }} validate the function whose `errors` are set
 * @param {Issues} issues
 */
export function conclude(validate, issues) {
  const isValid = issues.count === 0;
  validate.errors = isValid ? null : issues.list;
  return isValid;
}

/**
 * Whether a value is an object of JSON Schema: no array and not null.
 *
 * @param {unknown} value
 */
export function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether a text has more than `most` characters. The length in code units usually decides.
 *
 * @param {string} text
 * @param {number} most
 */
export function isLonger(text, most) {
  if (text.length <= most) return false;
  return text.length > 2 * most || countCharacters(text) > most;
}

/**
 * Whether a text has fewer than `least` characters.
 *
 * @param {string} text
 * @param {number} least
 */
export function isShorter(text, least) {
  if (text.length >= 2 * least) return false;
  return text.length < least || countCharacters(text) < least;
}

/**
 * The length of a text in JSON Schema: the number of code points. A lone surrogate counts as one.
 *
 * @param {string} text
 */
export function countCharacters(text) {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const isPair = (text.codePointAt(index) ?? 0) > 0xffff;
    if (isPair) index += 1;
    count += 1;
  }
  return count;
}
