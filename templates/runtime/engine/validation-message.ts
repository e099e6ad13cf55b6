import type { ValidationIssue } from "./item.js";
import { printable } from "./printable.js";

const maxIssues = 8;
const maxIssueLength = 400;

/** The first issues of a validator, as a text of limited length. */
export function validationMessage(issues: readonly ValidationIssue[] | null | undefined): string {
  const count = issues?.length ?? 0;
  const texts = (issues ?? []).slice(0, maxIssues).map(describeIssue);
  if (count > maxIssues) texts.push(`and ${count - maxIssues} more`);
  return texts.join("; ");
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
