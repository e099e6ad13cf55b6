import { noteIssue } from "./checks.js";

/**
 * Adds an issue without a message, for values whose issues are only logged.
 *
 * @param {import("./checks.js").Issues} issues
 * @param {string} instancePath JSON pointer to the invalid part of the value
 * @param {string} keyword
 */
export function addKeyword(issues, instancePath, keyword) {
  noteIssue(issues, { instancePath, keyword });
}
