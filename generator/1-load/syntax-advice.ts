import type { CST } from "yaml";
import { detectUnclosedBracket } from "./bracket-advice.js";
import { detectCommentAbove, detectCommentAfterText } from "./comment-advice.js";
import type { ProblemSite, SyntaxAdvice, SyntaxProblem } from "./compose.js";
import { hintForBlockText, hintForIndentation } from "./indentation-advice.js";
import { detectPlaceholder } from "./placeholder-advice.js";

/** The usual remedy for each error code of the YAML library. */
const USUAL_CAUSES: Readonly<Record<string, string>> = {
  BAD_ALIAS: "put a text that starts with & or * in quotes",
  BAD_DQ_ESCAPE: "write a backslash twice inside double quotes, or use single quotes",
  BAD_INDENT:
    "an opening bracket or brace is not closed, or a line is not indented like its siblings",
  BAD_SCALAR_START: "put the text in quotes",
  BLOCK_AS_IMPLICIT_KEY: "a text that contains `: ` must be in quotes",
  BLOCK_IN_FLOW: "a comma is missing between two entries, or a text with `: ` needs quotes",
  MISSING_CHAR: "a quote, bracket, comma or colon is missing here or just before",
  MULTILINE_IMPLICIT_KEY: "a colon is missing, or a text of several lines needs quotes",
  TAB_AS_INDENT: "indent with spaces",
  "unexpected token": "an opening or closing bracket, or a quote, is missing before this",
};

/** Detectors of common mistakes. The first that recognises the mistake gives the advice. */
const DETECTORS: readonly ((site: ProblemSite) => SyntaxAdvice | undefined)[] = [
  detectConflictMarker,
  detectUnclosedQuote,
  detectUnclosedBracket,
  detectPlaceholder,
  detectCommentAfterText,
  detectCommentAbove,
  detectSignBeforeText,
  detectMissingSpaceAfterDash,
  (site) => asHint(hintForBlockText(site)),
  detectMissingColon,
  detectTextAfterBlockSign,
  (site) => asHint(hintForIndentation(site)),
  detectTextThatNeedsQuotes,
];

/** Examines the text around a problem, and its syntax tree if there is one, for the mistake that caused it. */
export function adviseOn(
  problem: SyntaxProblem,
  text: string,
  document: CST.Document | undefined,
): SyntaxAdvice {
  const lineStart = text.lastIndexOf("\n", problem.start - 1) + 1;
  const line = lineAt(text, lineStart);
  const site = { problem, text, lineStart, line, ...(document && { document }) };
  for (const detect of DETECTORS) {
    const advice = detect(site);
    if (advice !== undefined) return advice;
  }
  return usualAdvice(problem);
}

/** The usual remedy for such a problem. It does not examine the text. */
export function usualAdvice({ code }: SyntaxProblem): SyntaxAdvice {
  return asHint(USUAL_CAUSES[code]) ?? {};
}

const asHint = (hint: string | undefined): SyntaxAdvice | undefined =>
  hint === undefined ? undefined : { hint };

function lineAt(text: string, start: number): string {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.slice(start) : text.slice(start, end);
}

function detectConflictMarker({ line }: ProblemSite): SyntaxAdvice | undefined {
  if (!/^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/.test(line)) return undefined;
  const hint = "resolve the conflict, and remove the lines <<<<<<<, ======= and >>>>>>>";
  return { message: "it has the conflict markers of a git merge", hint };
}

/** A text whose closing quote is missing reaches to the end of the file, so the last quote of the file opens it. */
function detectUnclosedQuote({ problem, text }: ProblemSite): SyntaxAdvice | undefined {
  const quote = /^Missing closing (["'])quote$/.exec(problem.message)?.[1];
  if (quote === undefined || text.slice(problem.start).trim() !== "") return undefined;
  const start = text.lastIndexOf(quote);
  if (start === -1) return undefined;
  return { start, message: `the text in quotes that starts here has no closing ${quote}` };
}

function detectMissingSpaceAfterDash({ line }: ProblemSite): SyntaxAdvice | undefined {
  const [, item] = /^ *-([A-Za-z_$"'][\w$"'-]*:)(?: |$)/.exec(line) ?? [];
  return asHint(item && `a space is missing after the dash: "- ${item}"`);
}

const KEY_CODES: ReadonlySet<string> = new Set(["MULTILINE_IMPLICIT_KEY", "MISSING_CHAR"]);

function detectMissingColon({ line, problem }: ProblemSite): SyntaxAdvice | undefined {
  if (!KEY_CODES.has(problem.code)) return undefined;
  const [, key, value] = /^ *(?:- +)*([A-Za-z_$][\w$-]*)(?::(\S.*))? *$/.exec(line) ?? [];
  if (key === undefined) return undefined;
  if (value !== undefined) return { hint: `a space is missing after "${key}:"` };
  return { hint: `a colon is missing after "${key}"` };
}

/** The text after `|` or `>` begins on the next line, not on the same line. */
function detectTextAfterBlockSign({ line, problem }: ProblemSite): SyntaxAdvice | undefined {
  if (!problem.message.startsWith("Not a YAML token")) return undefined;
  const [, sign] = /: +([|>])[-+\d]* +[^\s#]/.exec(line) ?? [];
  return asHint(
    sign &&
      `after ${sign} the text begins on the next line; one that starts with ${sign} needs quotes`,
  );
}

/** For a text after a colon that begins as if it were an item of a list, or a key of its own line. */
function detectSignBeforeText({
  problem,
  text,
  line,
  lineStart,
}: ProblemSite): SyntaxAdvice | undefined {
  const sign = /^[-?](?=\s|$)/.exec(text.slice(problem.start, problem.start + 2))?.[0];
  const isAfterColon = /: +$/.test(line.slice(0, problem.start - lineStart));
  if (sign === undefined || !isAfterColon) return undefined;
  const quotes = `put a text that starts with ${sign} in quotes`;
  const hint = sign === "-" ? `${quotes}; a list begins on the next line` : quotes;
  return { hint, explainsLine: true };
}

function detectTextThatNeedsQuotes({ line, problem }: ProblemSite): SyntaxAdvice | undefined {
  const isTag = problem.message.startsWith("Tags and anchors must be separated");
  if (problem.code !== "UNEXPECTED_TOKEN" && !isTag) return undefined;
  const [, first] = /^ *(?:- +)*(?:[\w$.-]+: +)?(\S)/.exec(line) ?? [];
  switch (first) {
    case "'":
      return { hint: "inside single quotes, ' is written twice; inside double quotes, as it is" };
    case '"':
      return { hint: 'inside double quotes, " is written \\"; inside single quotes, as it is' };
    case "*":
    case "&":
    case "[":
    case "{":
      return { hint: `put a text that starts with ${first} in quotes` };
    case "!":
      return { hint: "put a text that starts with ! in quotes", explainsLine: true };
    default:
      return undefined;
  }
}
