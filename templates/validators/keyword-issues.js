import { noteIssue } from "./checks.js";

/**
 * Notes a finding of which nobody reads more than the place and the keyword.
 *
 * @param {import("./checks.js").Issues} issues
 * @param {string} instancePath JSON pointer to the place in the value
 * @param {string} keyword
 */
export function addKeyword(issues, instancePath, keyword) {
  noteIssue(issues, { instancePath, keyword });
}
