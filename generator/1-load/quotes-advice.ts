import { quotedSource, textInBrackets } from "../text/flow-text.js";
import type { ProblemSite, SyntaxAdvice } from "./compose.js";

/** What the library says of a bracket, or of more words, after what could be a whole value. */
const AFTER_VALUE = /^Unexpected (?:scalar|flow-(?:map|seq)-start) at node end$/;

/**
 * A text that needs quotes because of its brackets, its quotes or its first sign: `{ uri: issue://{id} }`, `[Beta] A tool`,
 * `"Issue" and more`. Seen in shukiv/jabali-panel#955, and in a trial of coding agents.
 */
export function detectTextWithoutQuotes(site: ProblemSite): SyntaxAdvice | undefined {
  const { problem, line, lineStart } = site;
  if (!AFTER_VALUE.test(problem.message)) return undefined;
  const mend = { edit: "quote line" } as const;
  const part = textInBrackets(line, problem.start - lineStart);
  if (part === "none") {
    const hint =
      "put a text that starts with a sign of YAML in quotes, or in other quotes than it contains";
    return { hint, mend, explainsLine: true };
  }
  if (part === undefined || line.slice(part.start, part.end).includes(": ")) return undefined;
  const message = "a text with brackets, or with words after them, is not in quotes";
  const hint = `write ${quotedSource(line.slice(part.start, part.end))}`;
  return { start: lineStart + part.start, message, hint, mend, explainsLine: true };
}
