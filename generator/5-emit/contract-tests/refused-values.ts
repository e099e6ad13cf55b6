import type { BreakingValue } from "../../../templates/runtime/suite/contract.js";
import type { BreakingInstance } from "../../schema/instances/make-instances.js";

/** Invalid arguments, and the text about them that the answer must contain. */
export function wrongArguments(broken: BreakingInstance): BreakingValue {
  const { instancePath, message } = broken.finding;
  const place = instancePath.slice(1).replaceAll("/", ".");
  const says = place === "" ? message : `${place}: ${message}`;
  const detailed = says + detailOf(broken);
  return breakingValue(broken, isPlainText(detailed) ? detailed : says);
}

/** The detail after the message. The runtime has this rule too; each checks the other. */
function detailOf({ finding: { params } }: BreakingInstance): string {
  const [name = "", value] = Object.entries(params)[0] ?? [];
  if (value === undefined) return "";
  return name.startsWith("allowed") ? ` ${JSON.stringify(value)}` : `: ${String(value)}`;
}

/** An invalid result, and the text about it that the log must contain. */
export function wrongResult(broken: BreakingInstance): BreakingValue {
  const { instancePath, keyword, message } = broken.finding;
  const place = instancePath || "/";
  const [, missing] = /^must have required property ('.*')$/s.exec(message) ?? [];
  const says =
    keyword === "required" && missing !== undefined
      ? `required property ${missing} is missing at ${place}`
      : `${place}: ${keyword}`;
  // The log is JSON, which escapes these characters.
  return breakingValue(broken, /["\\]/.test(says) ? "" : says);
}

function breakingValue({ constraint, value }: BreakingInstance, says: string): BreakingValue {
  return isPlainText(says) ? { value, says } : { value, breaks: constraint };
}

/** True for a text that the output contains unchanged. Long texts are cut, and unusual characters escaped. */
function isPlainText(text: string): boolean {
  return /^[ -~]{1,200}$/.test(text);
}
