import type { ProblemSite, SyntaxAdvice } from "./compose.js";

/** For `#` directly after a bracket, a comma or a quote. */
export function detectCommentAfterText({ problem }: ProblemSite): SyntaxAdvice | undefined {
  if (!problem.message.startsWith("Comments must be separated")) return undefined;
  const hint = "put a text with # in quotes, or a space before a comment";
  return { message: "# stands here as if it began a comment", hint, explainsLine: true };
}

/**
 * For an entry of several lines whose comma is lost in a comment at the end of the line above, and for a text that
 * goes on after such a comment.
 */
export function detectCommentAbove(site: ProblemSite): SyntaxAdvice | undefined {
  const { text, lineStart } = site;
  if (lineStart === 0) return undefined;
  const aboveStart = text.lastIndexOf("\n", lineStart - 2) + 1;
  const above = text.slice(aboveStart, lineStart - 1);
  const [before] = /^[^"'#]* (?=#[^\s#"'][^"']*$)/.exec(above) ?? [];
  if (before === undefined) return undefined;
  const source = above.slice(before.length);
  const lost = lostPart(site, source);
  if (lost === undefined) return undefined;
  const start = aboveStart + before.length;
  return {
    start,
    message: `# begins a comment here, in which the ${lost}`,
    hint: hintForComment(text, { offset: start, source }),
    explainsLine: true,
  };
}

function lostPart({ problem, line }: ProblemSite, comment: string): string | undefined {
  const isMissing = problem.message.startsWith("Missing ,") || problem.code === "BLOCK_IN_FLOW";
  if (isMissing && /, *$/.test(comment)) return "comma is lost";
  const isText = /^ +[^\s-]/.test(line) && !/:(?: |$)/.test(line);
  return problem.code === "BAD_INDENT" && isText ? "text ends" : undefined;
}

/** How many characters before a comment are examined for its key. */
const LONGEST_KEY = 200;

/** Says how to write the text that became a comment. */
export function hintForComment(
  text: string,
  { offset, source }: { readonly offset: number; readonly source: string },
): string {
  const nearest = Math.max(text.lastIndexOf("\n", offset) + 1, offset - LONGEST_KEY);
  const before = text.slice(nearest, offset).trimEnd();
  const [value = ""] = /^[^,\]}]*/.exec(source) ?? [];
  const [, key] = /([\w$.-]+:)$/.exec(before) ?? [];
  if (key !== undefined) return `write ${key} "${value.trimEnd()}"`;
  return /[[{,]$/.test(before) ? `write "${value.trimEnd()}"` : "put the whole text in quotes";
}
