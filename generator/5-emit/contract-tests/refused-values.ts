import type { BreakingValue } from "../../../templates/runtime/suite/contract.js";
import type { JsonValue } from "../../model/json.js";
import type { BrokenValue } from "./schema-contracts.js";

/** Wrong arguments, with what callers read of them in the answer. */
export function wrongArguments(broken: BrokenValue): BreakingValue {
  const { path, message, detail } = broken;
  const place = path.slice(1).replaceAll("/", ".");
  const says = place === "" ? message : `${place}: ${message}`;
  return breakingValue(broken, isPlainText(says + detail) ? says + detail : says);
}

/** A wrong result; what is wrong with it stands in the log alone. */
export function wrongResult(broken: BrokenValue): BreakingValue {
  const says = `${broken.path || "/"}: ${broken.keyword}`;
  // The log is JSON, where these would be escaped.
  return breakingValue(broken, /["\\]/.test(says) ? "" : says);
}

function breakingValue(
  { breaks, value }: { readonly breaks: string; readonly value: JsonValue },
  says: string,
): BreakingValue {
  return isPlainText(says) ? { value, says } : { value, breaks };
}

/** Long and unusual texts are cut and escaped on their way out, so they cannot be looked for. */
function isPlainText(text: string): boolean {
  return /^[ -~]{1,200}$/.test(text);
}
