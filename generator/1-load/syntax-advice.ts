import type { CST } from "yaml";
import { detectUnclosedBracket } from "./bracket-advice.js";
import { detectCommentAfterText } from "./comment-advice.js";
import type { ProblemSite, SyntaxAdvice, SyntaxProblem } from "./compose.js";
import { FOREIGN_HABITS } from "./foreign-habits.js";
import type { Mend } from "../model/mend.js";
import { detectPlaceholder } from "./placeholder-advice.js";
import { detectTextWithoutQuotes } from "./quotes-advice.js";

/** The usual remedy for each error code of the YAML library, with where the mistake was seen. */
const USUAL_CAUSES: Readonly<Record<string, string>> = {
  // actions/labeler#284: `- **/*.py`
  BAD_ALIAS: "put a text that starts with & or * in quotes",
  // nodeca/js-yaml#374, Redocly/redocly-cli#110: "openapi\openapi.yaml"
  BAD_DQ_ESCAPE: "write a backslash twice inside double quotes, or use single quotes",
  // a trial of coding agents: `{ description: Number: of the issue }`, and a line of `{…}` without its comma
  BLOCK_IN_FLOW: "a comma is missing before a key, or a text that contains `: ` must be in quotes",
  // ruby/psych#190: one key a space too far; mulesoft-labs/yaml-ast-parser#9: a brace that nothing closes
  BAD_INDENT: "keys of one mapping start in the same column; or a bracket or brace is not closed",
  // eemeli/yaml#247: `@name`; cloud-lts/linux-cve-analysis#18: a text that begins with a backtick
  BAD_SCALAR_START: "put the text in quotes",
  // streamthoughts/jikkou#811, vercel-labs/agent-skills#263: `description: … frameworks: Next.js`
  BLOCK_AS_IMPLICIT_KEY:
    "a text that contains `: ` must be in quotes, and keys of one mapping start in the same column",
  // virtkick/http-master#70: a colon; ruby/psych#190: one key that does not stand below the others
  MISSING_CHAR:
    "a quote, bracket, comma or colon is missing here or just before, or the line is not indented like its siblings",
  // virtkick/http-master#70: a colon; litmuschaos/litmus#4907: texts of several lines
  MULTILINE_IMPLICIT_KEY:
    "a colon is missing, or a comma inside {…}, or a text of several lines needs quotes",
  // moraes/config#1, janus-idp/software-templates#28
  TAB_AS_INDENT: "indent with spaces",
  // shukiv/jabali-panel#955: `{id}` in a text; ruby/psych#190 and Ansible's own hint: "ok" in result.stdout
  UNEXPECTED_TOKEN:
    "put a text that starts with a sign of YAML in quotes, or in other quotes than it contains",
};

/** The edits that mend errors of the YAML library. */
const USUAL_MENDS: Readonly<Record<string, Mend>> = {
  BAD_DQ_ESCAPE: { edit: "double backslash" },
  BAD_SCALAR_START: { edit: "quote line" },
  TAB_AS_INDENT: { edit: "indent with spaces" },
};

/** Detectors of common mistakes. The first that recognises the mistake gives the advice. */
const DETECTORS: readonly ((site: ProblemSite) => SyntaxAdvice | undefined)[] = [
  detectConflictMarker,
  detectUnclosedQuote,
  detectUnclosedBracket,
  detectPlaceholder,
  detectCommentAfterText,
  ...FOREIGN_HABITS,
  detectTextWithoutQuotes,
  detectMissingSpaceAfterDash,
  detectDeeperKey,
  detectColonInText,
  detectShallowText,
  detectMissingColon,
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
  const hint = USUAL_CAUSES[code];
  const mend = USUAL_MENDS[code];
  return {
    ...(hint !== undefined && { hint }),
    ...(mend !== undefined && { mend }),
    explainsLine: code === "UNEXPECTED_TOKEN",
  };
}

function lineAt(text: string, start: number): string {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.slice(start) : text.slice(start, end);
}

/** Seen in pnpm/pnpm#1395, where merges left their markers in a YAML file. */
function detectConflictMarker({ line }: ProblemSite): SyntaxAdvice | undefined {
  if (!/^(?:<{7}|\|{7}|={7}|>{7})(?: |$)/.test(line)) return undefined;
  const hint = "resolve the conflict, and remove the lines <<<<<<<, ======= and >>>>>>>";
  return { message: "it has the conflict markers of a git merge", hint };
}

/**
 * A text whose closing quote is missing reaches to the end of the file, so the last quote of the file opens it. Seen in
 * goccy/go-yaml#187.
 */
function detectUnclosedQuote({ problem, text }: ProblemSite): SyntaxAdvice | undefined {
  const quote = /^Missing closing (["'])quote$/.exec(problem.message)?.[1];
  if (quote === undefined || text.slice(problem.start).trim() !== "") return undefined;
  const start = text.lastIndexOf(quote);
  if (start === -1) return undefined;
  return { start, message: `the text in quotes that starts here has no closing ${quote}` };
}

/** Seen in adrienverge/yamllint#197 (`-userarn: …`) and esphome/device-builder-frontend#1149. */
function detectMissingSpaceAfterDash({ line }: ProblemSite): SyntaxAdvice | undefined {
  const [, item] = /^ *-([A-Za-z_$"'][\w$"'-]*:)(?: |$)/.exec(line) ?? [];
  if (item === undefined) return undefined;
  const mend = { edit: "replace part", from: `-${item}`, to: `- ${item}` } as const;
  return { hint: `a space is missing after the dash: "- ${item}"`, mend };
}

/** A text with `: ` on the line of its key. Seen in streamthoughts/jikkou#811. */
function detectColonInText({ line, problem }: ProblemSite): SyntaxAdvice | undefined {
  if (problem.code !== "BLOCK_AS_IMPLICIT_KEY") return undefined;
  if (!/^ *(?:- +)*[\w$.-]+: +.*:(?: |$)/.test(line)) return undefined;
  return { ...usualAdvice(problem), mend: { edit: "quote line" } };
}

/** A key that stands further right than the one above it, which has its value already. Seen in a trial of coding agents. */
function detectDeeperKey({
  line,
  lineStart,
  text,
  problem,
}: ProblemSite): SyntaxAdvice | undefined {
  if (!/^(?:BLOCK_AS|MULTILINE)_IMPLICIT_KEY$/.test(problem.code)) return undefined;
  const [, before = "", key] = /^( *(?:- +)*)([\w$.-]+): +[^\s#](?!.*:(?: |$))/.exec(line) ?? [];
  if (key === undefined) return undefined;
  const start = lineStart + line.length + 1;
  const [, indent = "", deeper] =
    /^( +)([A-Za-z_$][\w$-]*):(?: |$)/.exec(lineAt(text, start)) ?? [];
  if (deeper === undefined || indent.length <= before.length) return undefined;
  return {
    start: start + indent.length,
    message: `"${deeper}" is indented further than "${key}" above it, which has a value`,
    hint: `start "${deeper}" in column ${before.length + 1}, or put the whole text of "${key}" in quotes`,
    explainsLine: true,
  };
}

/** A key whose text begins on the next line: `description: |`. */
const TEXT_BELOW = /^( *(?:- +)*)([A-Za-z_$][\w$-]*): +([|>])[-+0-9]* *$/;

/** How many characters before a problem are examined for the key of its text. */
const LONGEST_TEXT = 2000;

/** A text under `|` or `>` that stands no further right than its key. Seen in a trial, with a pasted text. */
function detectShallowText({ text, lineStart, line }: ProblemSite): SyntaxAdvice | undefined {
  const indentOf = (of: string): number => of.search(/\S|$/);
  const above = text.slice(Math.max(0, lineStart - LONGEST_TEXT), lineStart).split(/\r?\n/);
  for (const earlier of above.reverse()) {
    const [, before, key, sign] = TEXT_BELOW.exec(earlier) ?? [];
    if (before !== undefined && indentOf(line) <= before.length) {
      return { hint: `indent the text under "${key}: ${sign}" further than "${key}"` };
    }
    if (earlier.trim() !== "" && indentOf(earlier) !== indentOf(line)) return undefined;
  }
  return undefined;
}

const KEY_CODES: ReadonlySet<string> = new Set(["MULTILINE_IMPLICIT_KEY", "MISSING_CHAR"]);

/** Seen in virtkick/http-master#70 (no colon), and in Azure/aztk#103 and gabrie30/ghorg#48 (no space after it). */
function detectMissingColon({ line, problem }: ProblemSite): SyntaxAdvice | undefined {
  if (!KEY_CODES.has(problem.code)) return undefined;
  const [, key, value] = /^ *(?:- +)*([A-Za-z_$][\w$-]*)(?::(\S.*))? *$/.exec(line) ?? [];
  if (key === undefined) return undefined;
  if (value === undefined) return { hint: `a colon is missing after "${key}"` };
  const [from, to] = [`${key}:${value}`, `${key}: ${value}`];
  return { hint: `a space is missing after "${key}:"`, mend: { edit: "replace part", from, to } };
}
