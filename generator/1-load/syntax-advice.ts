import type { ProblemSite, SyntaxProblem } from "./compose.js";
import { hintForBlockText, hintForIndentation } from "./indentation-advice.js";

/** What to do about a problem of the grammar, and where it is, if not where the library noticed it. */
export interface SyntaxAdvice {
  readonly hint?: string;
  /** Says what is wrong where the library's words do not. */
  readonly message?: string;
  readonly start?: number;
}

/** What usually lies behind an error code of the YAML library. */
const USUAL_CAUSES: Readonly<Record<string, string>> = {
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

/** What people may have done; each is tried where the one before does not fit. */
const READINGS: readonly ((site: ProblemSite) => SyntaxAdvice | undefined)[] = [
  readConflictMarker,
  readUnclosedQuote,
  readUnclosedBracket,
  readMissingSpaceAfterDash,
  (site) => asHint(hintForBlockText(site)),
  readMissingColon,
  readTextAfterBlockSign,
  (site) => asHint(hintForIndentation(site)),
  readTextThatNeedsQuotes,
];

/** Looks at the text around a problem for the slip that caused it. */
export function adviseOn(problem: SyntaxProblem, text: string): SyntaxAdvice {
  const lineStart = text.lastIndexOf("\n", problem.start - 1) + 1;
  const site = { problem, text, lineStart, line: lineAt(text, lineStart) };
  for (const read of READINGS) {
    const advice = read(site);
    if (advice !== undefined) return advice;
  }
  return usualAdvice(problem);
}

/** What usually lies behind such a problem, without a look at the text. */
export function usualAdvice({ code }: SyntaxProblem): SyntaxAdvice {
  return asHint(USUAL_CAUSES[code]) ?? {};
}

const asHint = (hint: string | undefined): SyntaxAdvice | undefined =>
  hint === undefined ? undefined : { hint };

function lineAt(text: string, start: number): string {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.slice(start) : text.slice(start, end);
}

function readConflictMarker({ line }: ProblemSite): SyntaxAdvice | undefined {
  if (!/^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/.test(line)) return undefined;
  const hint = "resolve the conflict, and remove the lines <<<<<<<, ======= and >>>>>>>";
  return { message: "it has the conflict markers of a git merge", hint };
}

/** A quote that nothing closes reaches to the end of the file: it is the last one there. */
function readUnclosedQuote({ problem, text }: ProblemSite): SyntaxAdvice | undefined {
  const quote = /^Missing closing (["'])quote$/.exec(problem.message)?.[1];
  if (quote === undefined || text.slice(problem.start).trim() !== "") return undefined;
  const start = text.lastIndexOf(quote);
  if (start === -1) return undefined;
  return { start, message: `the text in quotes that starts here has no closing ${quote}` };
}

/** Brackets in texts count as well: this is a guess at the line, for people to look at. */
function readUnclosedBracket({ problem, text }: ProblemSite): SyntaxAdvice | undefined {
  const closing = /^Flow .* end with a ([\]}])$/.exec(problem.message)?.[1];
  if (closing === undefined) return undefined;
  const opening = closing === "]" ? "[" : "{";
  const start = Math.max(0, problem.start - MAX_LOOK_BACK);
  let open = 1;
  for (let at = problem.start - 1; at >= start; at -= 1) {
    if (text[at] === closing) open += 1;
    if (text[at] === opening) open -= 1;
    if (open === 0) return { start: at, message: `the ${opening} that opens here is not closed` };
  }
  return undefined;
}

const MAX_LOOK_BACK = 10_000;

function readMissingSpaceAfterDash({ line }: ProblemSite): SyntaxAdvice | undefined {
  const [, item] = /^ *-([A-Za-z_$"'][\w$"'-]*:)(?: |$)/.exec(line) ?? [];
  return asHint(item && `a space is missing after the dash: "- ${item}"`);
}

const KEY_CODES: ReadonlySet<string> = new Set(["MULTILINE_IMPLICIT_KEY", "MISSING_CHAR"]);

function readMissingColon({ line, problem }: ProblemSite): SyntaxAdvice | undefined {
  if (!KEY_CODES.has(problem.code)) return undefined;
  const [, key, value] = /^ *(?:- +)*([A-Za-z_$][\w$-]*)(?::(\S.*))? *$/.exec(line) ?? [];
  if (key === undefined) return undefined;
  if (value !== undefined) return { hint: `a space is missing after "${key}:"` };
  return { hint: `a colon is missing after "${key}"` };
}

/** `|` and `>` announce lines of text; none begins beside them. */
function readTextAfterBlockSign({ line, problem }: ProblemSite): SyntaxAdvice | undefined {
  if (!problem.message.startsWith("Not a YAML token")) return undefined;
  const [, sign] = /: +([|>])[-+\d]* +[^\s#]/.exec(line) ?? [];
  return asHint(
    sign &&
      `after ${sign} the text begins on the next line; one that starts with ${sign} needs quotes`,
  );
}

function readTextThatNeedsQuotes({ line, problem }: ProblemSite): SyntaxAdvice | undefined {
  if (problem.code !== "UNEXPECTED_TOKEN") return undefined;
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
    default:
      return undefined;
  }
}
