import type { SqlToken } from "./sql-tokens.js";

/** Descriptions of the statements that change rows, by their first word. */
const CHANGES: Readonly<Record<string, string>> = {
  insert: "inserts rows",
  update: "updates rows",
  delete: "deletes rows",
  merge: "merges rows",
};

/**
 * Describes the change that a statement makes although it begins with `with`, `select` or `explain`: to rows, in a common
 * table expression or after it, to locks of rows, or by making a table.
 *
 * @param keyword the first keyword of the statement
 * @param words the tokens without spaces and comments
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

/** The change of `explain analyze`, which runs the statement; any other `explain` does not. */
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

/** Whether an `into` after this word belongs to `select`. */
function isOfSelect(previousWord: string): boolean {
  return !/^(?:as|\.|insert|merge)$/.test(previousWord);
}

/** Whether a word begins a statement: in the brackets of a common table expression, or after the last one. */
function beginsChange(wordAt: (index: number) => string, index: number): boolean {
  const [previousWord, nextWord] = [wordAt(index - 1), wordAt(index + 1)];
  const isExpression = previousWord === "(" && /^(?:as|materialized)$/.test(wordAt(index - 2));
  if (!isExpression && previousWord !== ")") return false;
  const follower = { insert: "into", delete: "from", merge: "into" }[wordAt(index)];
  if (follower !== undefined) return nextWord === follower;
  return /^(?:[\p{L}_"]|only$)/u.test(nextWord) && nextWord !== "from";
}

/** Whether a `for` begins `for update`, `for no key update`, `for share` or `for key share`. */
function isLock(wordAt: (index: number) => string, index: number): boolean {
  const words = [1, 2, 3].map((step) => wordAt(index + step));
  return /^(?:update|no key update|share|key share)(?: |$)/.test(words.join(" ").trim());
}
