import type { ProblemSite, SyntaxAdvice } from "./compose.js";

/** Habits of JSON, of other languages and of chats that are no YAML. Seen in a trial of coding agents. */
export const FOREIGN_HABITS: readonly ((site: ProblemSite) => SyntaxAdvice | undefined)[] = [
  detectFence,
  detectForeignComment,
  detectCommaAtEnd,
];

/** True if a text begins with the fence of a block of code in Markdown. */
export const beginsWithFence = (text: string): boolean => /^\s*(?:```|~~~)/.test(text);

function detectFence({ text, line }: ProblemSite): SyntaxAdvice | undefined {
  if (!beginsWithFence(text) || !beginsWithFence(line)) return undefined;
  const message = "the file begins with the fence of a block of code in Markdown";
  return { message, hint: "leave out its first and its last line", explainsLine: true };
}

/** A comment of JavaScript behind a quote or a bracket that ends a value. */
const FOLLOWING_COMMENT = /["'\]}] +(\/\/+ +([^"'\]}]*?)) *$/;

/** `// a comment`, as in JavaScript. */
function detectForeignComment({ line }: ProblemSite): SyntaxAdvice | undefined {
  const [, comment, words] =
    /^ *(\/\/+ ?(.*?)) *$/.exec(line) ?? FOLLOWING_COMMENT.exec(line) ?? [];
  if (comment === undefined || words === undefined) return undefined;
  const mend = { edit: "replace part", from: comment, to: `# ${words}` } as const;
  return { hint: "a comment begins with #", mend, explainsLine: true };
}

/** `city: { type: string },` in a block, as in JSON. */
function detectCommaAtEnd({ problem, line, lineStart }: ProblemSite): SyntaxAdvice | undefined {
  if (problem.message !== "Unexpected scalar at node end") return undefined;
  if (line.slice(problem.start - lineStart).trim() !== ",") return undefined;
  const from = line.trim();
  const mend = { edit: "replace part", from, to: from.slice(0, -1) } as const;
  const message = "a comma follows a value that ends with its line";
  return { message, hint: "remove the comma", mend, explainsLine: true };
}
