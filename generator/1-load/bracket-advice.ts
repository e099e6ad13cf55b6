import { CST } from "yaml";
import { hintForComment } from "./comment-advice.js";
import type { ProblemSite, SyntaxAdvice } from "./compose.js";

/**
 * Finds the bracket that is not closed, or the comment in which its end is lost. Seen in mulesoft-labs/yaml-ast-parser#9,
 * and in OpenAPI documents with `{ $ref: #/… }` (eemeli/yaml#566).
 */
export function detectUnclosedBracket(site: ProblemSite): SyntaxAdvice | undefined {
  const { problem, document } = site;
  const closing = /^Flow .* end with a ([\]}])$/.exec(problem.message)?.[1];
  if (closing === undefined || document === undefined) return undefined;
  const unclosed = lastUnclosed(document, closing, problem.start);
  if (unclosed === undefined) return undefined;
  const { source, offset } = unclosed.start;
  if (site.text[problem.start] === closing) {
    // Seen in eemeli/yaml#328, which has the `}` of a list's mapping below the key of the list.
    const message = `the ${closing} that closes a ${source} must stand farther right than the key before the ${source}`;
    return { start: problem.start, message, explainsLine: true };
  }
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
