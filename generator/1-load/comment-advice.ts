import type { ProblemSite, SyntaxAdvice } from "./compose.js";

/** For `#` directly after a bracket, a comma or a quote, as with the colour of pyrochlore/obsidian-tracker#25. */
export function detectCommentAfterText({ problem }: ProblemSite): SyntaxAdvice | undefined {
  if (!problem.message.startsWith("Comments must be separated")) return undefined;
  const hint = "put a text with # in quotes, or a space before a comment";
  return { message: "# stands here as if it began a comment", hint, explainsLine: true };
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
