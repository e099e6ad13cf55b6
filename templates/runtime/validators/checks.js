/** Shared code of all validators: adding issues, and the simplest checks. */

/**
 * The issues that a function of a validator has found; null if there are none.
 *
 * @typedef {unknown[] | null} Issues
 */

/**
 * Adds an issue with a message for the caller who sent the value.
 *
 * @param {Issues} issues
 * @param {string} instancePath JSON pointer to the invalid part of the value
 * @param {string} message
 * @param {object} [details] the keyword and its parameters, if the message alone is not enough
 */
export function addIssue(issues, instancePath, message, details) {
  return withIssue(issues, { instancePath, ...details, message });
}

/**
 * Adds an issue without a message, for values whose issues are only logged.
 *
 * @param {Issues} issues
 * @param {string} instancePath JSON pointer to the invalid part of the value
 * @param {string} keyword
 * @param {string} [missingProperty] the name of a property that is missing
 */
export function addKeyword(issues, instancePath, keyword, missingProperty) {
  if (missingProperty === undefined) return withIssue(issues, { instancePath, keyword });
  return withIssue(issues, { instancePath, keyword, params: { missingProperty } });
}

/**
 * Adds an issue that nobody will read: it only decides.
 *
 * @param {Issues} issues
 */
export function countIssue(issues) {
  return withIssue(issues, undefined);
}

/**
 * @param {Issues} issues
 * @param {unknown} issue
 */
function withIssue(issues, issue) {
  if (issues === null) return [issue];
  issues.push(issue);
  return issues;
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
