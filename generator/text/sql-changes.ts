import type { SqlToken } from "./sql-tokens.js";

/** What statements do that change rows, by their first word. */
const CHANGES: Readonly<Record<string, string>> = {
  insert: "inserts rows",
  update: "updates rows",
  delete: "deletes rows",
  merge: "merges rows",
};

/**
 * What a statement changes that begins with `with`, `select` or `explain`: the rows of a common table expression,
 * those of the statement behind the expressions, the locks of rows, or a table that it makes.
 *
 * @param keyword the first of the statement
 * @param words without spaces and comments
 */
export function hiddenChange(keyword: string, words: readonly SqlToken[]): string | undefined {
  if (keyword === "explain") return explainedChange(words);
  if (keyword !== "with" && keyword !== "select") return undefined;
  const wordAt = (index: number): string => textOf(words[index]);
  for (const index of words.keys()) {
    const change = CHANGES[wordAt(index)];
    if (keyword === "with" && change !== undefined && beginsChange(wordAt, index)) return change;
    if (wordAt(index) === "for" && isLock(wordAt, index)) return "locks rows";
    if (wordAt(index) === "into" && isOfSelect(wordAt(index - 1))) return "makes a table";
  }
  return undefined;
}

function textOf(token: SqlToken | undefined): string {
  return token?.kind === "word" ? token.text.toLowerCase() : (token?.text ?? "");
}

/** What `explain analyze` changes: it runs the statement, which any other `explain` does not. */
function explainedChange(words: readonly SqlToken[]): string | undefined {
  const start = words.findIndex(
    (word) =>
      word.kind === "word" &&
      /^(?:select|with|values|table|insert|update|delete|merge)$/i.test(word.text),
  );
  const isRun = words.slice(0, start).some((word) => /^analy[sz]e$/i.test(word.text));
  if (!isRun) return undefined;
  const first = textOf(words[start]);
  return CHANGES[first] ?? hiddenChange(first, words.slice(start));
}

/** Whether an `into` that stands behind this word is no name. */
function isOfSelect(before: string): boolean {
  return !/^(?:as|\.|insert|merge)$/.test(before);
}

/** Whether a word begins a statement: within the brackets of an expression, or behind the last of them. */
function beginsChange(wordAt: (index: number) => string, index: number): boolean {
  const [before, next] = [wordAt(index - 1), wordAt(index + 1)];
  const isExpression = before === "(" && /^(?:as|materialized)$/.test(wordAt(index - 2));
  if (!isExpression && before !== ")") return false;
  const follower = { insert: "into", delete: "from", merge: "into" }[wordAt(index)];
  if (follower !== undefined) return next === follower;
  return /^(?:[\p{L}_"]|only$)/u.test(next) && next !== "from";
}

/** `for update`, `for no key update`, `for share` and `for key share`, before the end or more of their kind. */
function isLock(wordAt: (index: number) => string, index: number): boolean {
  const words = [1, 2, 3].map((step) => wordAt(index + step));
  return /^(?:update|no key update|share|key share)(?: |$)/.test(words.join(" ").trim());
}
