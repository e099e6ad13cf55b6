import type { ValidationIssue } from "./item.js";
import { printable } from "./printable.js";

const mostIssues = 8;
const longestIssue = 400;

/** The first few findings of a validator as one short text, however large the input was. */
export function validationMessage(issues: readonly ValidationIssue[] | null | undefined): string {
  const all = issues ?? [];
  const shown = all.slice(0, mostIssues).map(describeIssue);
  if (all.length > mostIssues) shown.push(`and ${all.length - mostIssues} more`);
  return shown.join("; ");
}

/** Where the findings are and which keyword each broke, without the values: for the log. */
export function brokenKeywords(issues: readonly ValidationIssue[] | null | undefined): string[] {
  return (issues ?? [])
    .slice(0, mostIssues)
    .map(
      ({ instancePath, keyword }) => `${printable(instancePath || "/", 200)}: ${keyword ?? "?"}`,
    );
}

function describeIssue(issue: ValidationIssue): string {
  const { instancePath, message = `breaks "${issue.keyword ?? "the schema"}"` } = issue;
  const path = instancePath.slice(1).replaceAll("/", ".");
  const text = `${path === "" ? "" : `${path}: `}${message}${detailOf(issue)}`;
  return printable(text, longestIssue);
}

/** A detail that the validator's message leaves out and that helps the caller. */
function detailOf({ keyword, params = {} }: ValidationIssue): string {
  if (keyword === "enum") return ` ${JSON.stringify(params["allowedValues"])}`;
  if (keyword === "const") return ` ${JSON.stringify(params["allowedValue"])}`;
  if (keyword === "additionalProperties") return `: ${String(params["additionalProperty"])}`;
  if (keyword === "unevaluatedProperties") return `: ${String(params["unevaluatedProperty"])}`;
  if (keyword === "propertyNames") return `: ${String(params["propertyName"])}`;
  return "";
}
