import type { ValidationIssue } from "./item.js";
import { printable } from "./printable.js";

const maxIssues = 8;
const maxIssueLength = 400;

/** The first issues of a validator, as a text of limited length. */
export function validationMessage(issues: readonly ValidationIssue[] | null | undefined): string {
  const texts = new Set<string>();
  let left = 0;
  for (const issue of withoutPatternsOfFormats(issues ?? [])) {
    if (texts.size < maxIssues) texts.add(describeIssue(issue));
    else left += 1;
  }
  return [...texts, ...(left > 0 ? [`and ${left} more`] : [])].join("; ");
}

/**
 * Leaves out the pattern of a text that breaks its format as well. Libraries of schemas, such as zod, write both for dates
 * and addresses, and such a pattern is long and tells a model no more than the format.
 */
function withoutPatternsOfFormats(issues: readonly ValidationIssue[]): readonly ValidationIssue[] {
  const places = new Set(
    issues.filter(({ keyword }) => keyword === "format").map(({ instancePath }) => instancePath),
  );
  return places.size === 0
    ? issues
    : issues.filter((one) => one.keyword !== "pattern" || !places.has(one.instancePath));
}

/**
 * The path and violated keyword of the first issues, for the log, and the names of properties that are missing. They
 * contain no values.
 */
export function brokenKeywords(issues: readonly ValidationIssue[] | null | undefined): string[] {
  return (issues ?? []).slice(0, maxIssues).map(({ instancePath, keyword, message, params }) => {
    const place = printable(instancePath || "/", 200);
    const missing = params?.["missingProperty"];
    if (typeof missing !== "string") return `${place}: ${keyword ?? message ?? "?"}`;
    return `required property '${printable(missing, 200)}' is missing at ${place}`;
  });
}

function describeIssue(issue: ValidationIssue): string {
  const { instancePath, message = `breaks "${issue.keyword ?? "the schema"}"` } = issue;
  const path = instancePath.slice(1).replaceAll("/", ".");
  const text = `${path === "" ? "" : `${path}: `}${message}${detailOf(issue)}`;
  return printable(text, maxIssueLength);
}

/** A detail that is not in the validator's message and helps the caller. */
function detailOf({ keyword, params = {} }: ValidationIssue): string {
  if (keyword === "enum") return ` ${JSON.stringify(params["allowedValues"])}`;
  if (keyword === "const") return ` ${JSON.stringify(params["allowedValue"])}`;
  if (keyword === "additionalProperties") return `: ${String(params["additionalProperty"])}`;
  if (keyword === "unevaluatedProperties") return `: ${String(params["unevaluatedProperty"])}`;
  if (keyword === "propertyNames") return `: ${String(params["propertyName"])}`;
  return "";
}
