import { CST } from "yaml";
import type { ProblemSite, SyntaxAdvice } from "./compose.js";

/** Finds the bracket that is not closed, or the comment in which its end is lost. */
export function detectUnclosedBracket(site: ProblemSite): SyntaxAdvice | undefined {
  const { problem, document } = site;
  const closing = /^Flow .* end with a ([\]}])$/.exec(problem.message)?.[1];
  if (closing === undefined || document === undefined) return undefined;
  const unclosed = lastUnclosed(document, closing, problem.start);
  if (unclosed === undefined) return undefined;
  const { source, offset } = unclosed.start;
  const comment = commentsWithin(unclosed).find((one) => hidesBracket(one.source));
  if (comment === undefined) {
    return { start: offset, message: `the ${source} that opens here is not closed` };
  }
  return {
    start: comment.offset,
    message: `# begins a comment here, in which the ${source} before it is not closed`,
    hint: hintForComment(site.text, comment),
    explainsLine: true,
  };
}

/** For `#` directly after a bracket, a comma or a quote. */
export function detectCommentAfterText({ problem }: ProblemSite): SyntaxAdvice | undefined {
  if (!problem.message.startsWith("Comments must be separated")) return undefined;
  const hint = "put a text with # in quotes, or a space before a comment";
  return { message: "# stands here as if it began a comment", hint, explainsLine: true };
}

/** For an entry of several lines whose comma is lost in a comment at the end of the line above. */
export function detectLostComma({
  problem,
  text,
  lineStart,
}: ProblemSite): SyntaxAdvice | undefined {
  const isMissing = problem.message.startsWith("Missing ,") || problem.code === "BLOCK_IN_FLOW";
  if (!isMissing || lineStart === 0) return undefined;
  const aboveStart = text.lastIndexOf("\n", lineStart - 2) + 1;
  const above = text.slice(aboveStart, lineStart - 1);
  const [before] = /^[^"'#]* (?=#[^\s#"'][^"']*, *$)/.exec(above) ?? [];
  if (before === undefined) return undefined;
  const offset = aboveStart + before.length;
  const source = above.slice(before.length);
  return {
    start: offset,
    message: "# begins a comment here, in which the comma is lost",
    hint: hintForComment(text, { offset, source }),
  };
}

/** The innermost bracket before an offset that has no end, according to the syntax tree. */
function lastUnclosed(
  document: CST.Document,
  closing: string,
  before: number,
): CST.FlowCollection | undefined {
  const opening = closing === "]" ? "[" : "{";
  let last: CST.FlowCollection | undefined;
  CST.visit(document, ({ key, value }) => {
    for (const node of [key, value]) {
      if (node?.type !== "flow-collection" || node.offset >= before) continue;
      const isClosed = node.end[0]?.source === closing;
      if (node.start.source === opening && !isClosed) last = node;
    }
  });
  return last;
}

function commentsWithin(collection: CST.FlowCollection): CST.SourceToken[] {
  const tokens: CST.SourceToken[] = [];
  CST.visit({ start: [], value: collection }, ({ start, sep = [], value }) => {
    const after = value != null && "end" in value ? (value.end ?? []) : [];
    tokens.push(...start, ...sep, ...after);
  });
  return tokens
    .filter(({ type }) => type === "comment")
    .sort((one, other) => one.offset - other.offset);
}

/** True for a comment that was probably meant as a text: no space follows its sign, and a bracket is in it. */
const hidesBracket = (comment: string): boolean => /^#[^\s#].*[\]}]/.test(comment);

function hintForComment(
  text: string,
  { offset, source }: Pick<CST.SourceToken, "offset" | "source">,
): string {
  const before = text.slice(text.lastIndexOf("\n", offset) + 1, offset).trimEnd();
  const [value = ""] = /^[^,\]}]*/.exec(source) ?? [];
  const [, key] = /([\w$.-]+:)$/.exec(before) ?? [];
  if (key !== undefined) return `write ${key} "${value.trimEnd()}"`;
  return /[[{,]$/.test(before) ? `write "${value.trimEnd()}"` : "put the whole text in quotes";
}
