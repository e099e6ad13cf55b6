/**
 * The functions with which compiled validators note what they find. Their text goes into the generated
 * module: see `runtime-pieces.ts`.
 */

/** What a function of a validator found of a value. */
export interface Issues {
  /** How many issues there are, also those that the list leaves out. */
  count: number;
  readonly list: unknown[];
}

/** @param details what is known beside the message, where somebody reads it */
export function addIssue(
  issues: Issues,
  instancePath: string,
  message: string,
  details?: object,
): void {
  issues.count += 1;
  // Issues beyond the first few help nobody; a hostile value could make hundreds of thousands.
  if (issues.list.length < 20) issues.list.push({ instancePath, ...details, message });
}

/** The same where nobody reads more than the place and the keyword. */
export function addKeyword(issues: Issues, instancePath: string, keyword: string): void {
  issues.count += 1;
  if (issues.list.length < 20) issues.list.push({ instancePath, keyword });
}

export function joinIssues(issues: Issues, more: readonly unknown[] | null): void {
  for (const issue of more ?? []) {
    issues.count += 1;
    if (issues.list.length < 20) issues.list.push(issue);
  }
}

/** Forgets all issues but the first ones: those of an alternative that did not matter. */
export function keepIssues(issues: Issues, count: number): void {
  issues.count = count;
  if (issues.list.length > count) issues.list.length = count;
}

/** Moves all issues but the first ones to those of the alternatives that were tried. Nothing is weighed yet, since another alternative may fit. */
export function setAside(tried: unknown[][], issues: Issues, count: number): void {
  tried.push(issues.list.slice(count));
  keepIssues(issues, count);
}

/** The answer of a function that has looked at all of a value. */
export function conclude(validate: { errors?: unknown[] | null }, issues: Issues): boolean {
  const isValid = issues.count === 0;
  validate.errors = isValid ? null : issues.list;
  return isValid;
}
