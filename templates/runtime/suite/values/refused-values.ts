import type { BreakingValue, Json, JsonObject, ToolContract } from "../contract.js";
import { plainBreaks, type BrokenValue } from "./constraints.js";
import { isObject } from "./places.js";

/** The values that a contract's schemas refuse: those that the contract holds, and those that the schemas show. */

/** Wrong arguments of a tool, by the schema that they are checked against. The protocol itself wants an object, so nothing else gets that far. */
export function refusedArguments(tool: ToolContract, { inputSchema }: JsonObject): BreakingValue[] {
  const accepted = tool.accepted.map((call) => call.arguments);
  const plain = breaksOf(tool.inputSchema ?? inputSchema, accepted).filter(({ value }) =>
    isObject(value),
  );
  return [...plain.map(wrongArguments), ...tool.refused];
}

/** Wrong results of a tool, as it is listed; none for one without an output schema. */
export function refusedResults(
  { output }: ToolContract,
  { outputSchema }: JsonObject,
): BreakingValue[] {
  if (output === undefined) return [];
  return [...breaksOf(outputSchema, output.accepted).map(wrongResult), ...output.refused];
}

/** The values that break one constraint of a schema each. */
export function breaksOf(schema: Json | undefined, accepted: readonly Json[]): BrokenValue[] {
  return isObject(schema) ? [...plainBreaks(schema, accepted)] : [];
}

/** Callers read in the answer what is wrong with their arguments. */
export function wrongArguments(broken: BrokenValue): BreakingValue {
  const { path, message, detail } = broken;
  const place = path.slice(1).replaceAll("/", ".");
  const says = place === "" ? message : `${place}: ${message}`;
  return breakingValue(broken, isPlainText(says + detail) ? says + detail : says);
}

/** What is wrong with a result stands in the log alone. */
export function wrongResult(broken: BrokenValue): BreakingValue {
  const says = `${broken.path || "/"}: ${broken.keyword}`;
  // The log is JSON, where these would be escaped.
  return breakingValue(broken, /["\\]/.test(says) ? "" : says);
}

function breakingValue({ breaks, value }: BrokenValue, says: string): BreakingValue {
  return { breaks, value, ...(isPlainText(says) && { says }) };
}

/** Long and unusual texts are cut and escaped on their way out, so they cannot be looked for. */
function isPlainText(text: string): boolean {
  return /^[ -~]{1,200}$/.test(text);
}
