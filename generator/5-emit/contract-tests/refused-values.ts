import type { BreakingValue } from "../../../templates/runtime/suite/contract.js";
import type { BreakingInstance } from "../../schema/instances/make-instances.js";

/** Wrong arguments, with what callers read of them in the answer. */
export function wrongArguments(broken: BreakingInstance): BreakingValue {
  const { instancePath, message } = broken.finding;
  const place = instancePath.slice(1).replaceAll("/", ".");
  const says = place === "" ? message : `${place}: ${message}`;
  const detailed = says + detailOf(broken);
  return breakingValue(broken, isPlainText(detailed) ? detailed : says);
}

/** What callers read after the message: the runtime's own rule, written a second time to check it. */
function detailOf({ finding: { params } }: BreakingInstance): string {
  const [name = "", value] = Object.entries(params)[0] ?? [];
  if (value === undefined) return "";
  return name.startsWith("allowed") ? ` ${JSON.stringify(value)}` : `: ${String(value)}`;
}

/** A wrong result; what is wrong with it stands in the log alone. */
export function wrongResult(broken: BreakingInstance): BreakingValue {
  const { instancePath, keyword } = broken.finding;
  const says = `${instancePath || "/"}: ${keyword}`;
  // The log is JSON, where these would be escaped.
  return breakingValue(broken, /["\\]/.test(says) ? "" : says);
}

function breakingValue({ constraint, value }: BreakingInstance, says: string): BreakingValue {
  return isPlainText(says) ? { value, says } : { value, breaks: constraint };
}

/** Long and unusual texts are cut and escaped on their way out, so they cannot be looked for. */
function isPlainText(text: string): boolean {
  return /^[ -~]{1,200}$/.test(text);
}
