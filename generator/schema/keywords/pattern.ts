import { describeValue, quoted } from "../../text/value-words.js";
import { expressionOf } from "../expressions.js";
import { oddTexts } from "../instances/unlike-values.js";
import { BOTH_DIALECTS, type KeywordDefinition } from "./definition.js";

export const pattern: KeywordDefinition = {
  name: "pattern",
  shape: "string",
  dialects: BOTH_DIALECTS,
  subject: "string",
  /** Not run on a text that `maxLength` refuses: the time of an accepted pattern may grow with the square of the length. */
  check(value, rule, checking) {
    if (typeof value !== "string" || typeof rule !== "string") return;
    const maxLength = checking.beside("maxLength");
    // A character has one or two units.
    if (typeof maxLength === "number" && value.length > 2 * maxLength) return;
    if (!expressionOf(rule).test(value)) checking.report(`must match pattern "${rule}"`);
  },
  breaking: { candidates: oddTexts },
  problem: ({ rule, value }) => `must match ${quoted(String(rule))}, not ${describeValue(value)}`,
};
