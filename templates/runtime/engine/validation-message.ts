import type { ValidationIssue } from "./item.js";
import { isPatternOfFormat } from "./patterns-of-formats.js";
import { printable } from "./printable.js";

const maxIssues = 8;
const maxIssueLength = 400;

/** The first issues of a validator, as a text of limited length. */
export function validationMessage(issues: readonly ValidationIssue[] | null | undefined): string {
  const texts = [...new Set(withoutPatternsOfFormats(issues ?? []).map(describeIssue))];
  const left = texts.length - maxIssues;
  return [...texts.slice(0, maxIssues), ...(left > 0 ? [`and ${left} more`] : [])].join("; ");
}

/**
 * Leaves out the pattern of a text that breaks its format as well, where it says the same. Libraries of schemas, such as zod,
 * write both for dates and addresses, and such a pattern is long and tells a model no more than the format.
 */
function withoutPatternsOfFormats(issues: readonly ValidationIssue[]): readonly ValidationIssue[] {
  const formats = new Map<string, string>();
  for (const { keyword, instancePath, message } of issues) {
    const [, format] = /^must match format "(.*)"$/.exec(message ?? "") ?? [];
    if (keyword === "format" && format !== undefined) formats.set(instancePath, format);
  }
  if (formats.size === 0) return issues;
  return issues.filter(({ keyword, instancePath, message }) => {
    const format = keyword === "pattern" ? formats.get(instancePath) : undefined;
    const [, pattern] = /^must match pattern "(.*)"$/s.exec(message ?? "") ?? [];
    return format === undefined || pattern === undefined || !isPatternOfFormat(pattern, format);
  });
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
