import { noteIssue } from "./checks.js";

/** Combines the issues of nested schemas. */

/**
 * Adds the issues of another function.
 *
 * @param {import("./checks.js").Issues} issues
 * @param {readonly unknown[] | null | undefined} more
 */
export function joinIssues(issues, more) {
  for (const issue of more ?? []) noteIssue(issues, issue);
}

/**
 * Removes the issues of an alternative that did not decide.
 *
 * @param {import("./checks.js").Issues} issues
 * @param {number} count the number of earlier issues, which are kept
 */
export function keepIssues(issues, count) {
  issues.count = count;
  if (issues.list.length > count) issues.list.length = count;
}
