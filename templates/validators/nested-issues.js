import { noteIssue } from "./checks.js";

/** How the findings of schemas within schemas are put together. */

/**
 * Takes over what another function found.
 *
 * @param {import("./checks.js").Issues} issues
 * @param {readonly unknown[] | null | undefined} more
 */
export function joinIssues(issues, more) {
  for (const issue of more ?? []) noteIssue(issues, issue);
}

/**
 * Forgets all issues but the first ones: those of an alternative that did not matter.
 *
 * @param {import("./checks.js").Issues} issues
 * @param {number} count how many stay
 */
export function keepIssues(issues, count) {
  issues.count = count;
  if (issues.list.length > count) issues.list.length = count;
}
