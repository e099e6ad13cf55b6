/** What all validators share: how findings are noted, and the simplest checks. */

/**
 * What a function of a validator found of a value.
 *
 * @typedef {object} Issues
 * @property {number} count how many issues there are, also those that the list leaves out
 * @property {unknown[]} list the first of them
 */

/** Issues beyond these help nobody; a hostile value could make hundreds of thousands. */
const MOST_ISSUES = 20;

/**
 * Notes a finding, unless there are enough.
 *
 * @param {Issues} issues
 * @param {unknown} issue
 */
export function noteIssue(issues, issue) {
  issues.count += 1;
  if (issues.list.length < MOST_ISSUES) issues.list.push(issue);
}

/**
 * Notes a finding for whoever gave the value.
 *
 * @param {Issues} issues
 * @param {string} instancePath JSON pointer to the place in the value
 * @param {string} message
 * @param {object} [details] the keyword and its parameters, where the message alone does not say them
 */
export function addIssue(issues, instancePath, message, details) {
  noteIssue(issues, { instancePath, ...details, message });
}

/**
 * The answer of a function that has looked at all of a value.
 *
 * @param {{ errors?: readonly unknown[] | null }} validate the function, which gets the list
 * @param {Issues} issues
 */
export function conclude(validate, issues) {
  const isValid = issues.count === 0;
  validate.errors = isValid ? null : issues.list;
  return isValid;
}

/**
 * Whether a value is what JSON Schema calls an object.
 *
 * @param {unknown} value
 */
export function isRecord(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Whether a text has more characters than so many; mostly, its length in code units tells.
 *
 * @param {string} text
 * @param {number} most
 */
export function isLonger(text, most) {
  if (text.length <= most) return false;
  return text.length > 2 * most || countCharacters(text) > most;
}

/**
 * Whether a text has fewer characters than so many.
 *
 * @param {string} text
 * @param {number} least
 */
export function isShorter(text, least) {
  if (text.length >= 2 * least) return false;
  return text.length < least || countCharacters(text) < least;
}

/**
 * The length that JSON Schema counts: code points, where a lone surrogate is one.
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
