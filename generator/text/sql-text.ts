import { hiddenChange } from "./sql-changes.js";

/** The dialects of SQL that differ in what a text means. */
export type SqlDialect = "postgres" | "sqlite";

/** A literal part of a statement, or an argument that is bound at its place. */
export type SqlPart = string | { readonly argument: string };

/** Something in a statement that it must not have. */
export interface SqlProblem {
  readonly kind: "unclosed" | "secondStatement" | "otherParameter" | "templatePlaceholder";
  readonly offset: number;
  readonly text: string;
}

/** A parameter as it stands in a statement. */
export interface SqlParameter {
  readonly name: string;
  readonly offset: number;
  /** The type of the cast behind it, in small letters. */
  readonly cast?: string;
}

export interface SqlText {
  readonly parts: readonly SqlPart[];
  readonly parameters: readonly SqlParameter[];
  readonly problems: readonly SqlProblem[];
  /** The first keyword, in small letters; empty where there is none. */
  readonly keyword: string;
  /** What a statement that begins like one which reads does in truth: `deletes rows`. */
  readonly hiddenChange?: string;
}

/** A part of a statement that is read as one: what it is, and its text. */
export interface SqlToken {
  readonly kind: "space" | "quoted" | "word" | "cast" | "name" | "unclosed" | "other";
  readonly text: string;
  readonly offset: number;
}

const SPACE = /(?:\s|--[^\n]*(?:\n|$))+/y;
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy;
const CAST = /::|:=/y;
const NAME = /:([A-Za-z_][A-Za-z0-9_]*)/y;
const NUMBER = /\d[\w.]*/y;
const DOLLAR_QUOTE = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;
/** Backslashes hide what stands behind them in the strings of Postgres that begin with E. */
const ESCAPED_STRING = /[eE]'(?:[^'\\]|''|\\[^])*('?)/y;

/** Quotes that end at the same character, which is doubled to stand inside. */
const QUOTES: Readonly<Record<SqlDialect, readonly string[]>> = {
  postgres: ["'", '"'],
  sqlite: ["'", '"', "`"],
};

/** Parameters of the database's own, which nothing would be bound to. */
const OTHER_PARAMETERS: Readonly<Record<SqlDialect, RegExp>> = {
  postgres: /^\$\d+/,
  sqlite: /^(?:\?\d*|[@$][A-Za-z_]\w*)/,
};

/** Reads a statement as its database does, as far as it takes to find `:name`. */
export function parseSql(text: string, dialect: SqlDialect): SqlText {
  const parts: SqlPart[] = [];
  const parameters: SqlParameter[] = [];
  const problems: SqlProblem[] = [];
  const all = tokensOf(text, dialect);
  const words = all.filter(({ kind }) => kind !== "space");
  for (const [index, token] of words.entries()) {
    const problem = problemOf(token, index, words, dialect);
    if (problem !== undefined)
      problems.push({ kind: problem, offset: token.offset, text: token.text });
  }
  let brackets = 0;
  let before = "";
  for (const [index, token] of all.entries()) {
    if (token.text === "[" && dialect === "postgres") brackets += 1;
    if (token.text === "]") brackets -= 1;
    const isSlice = brackets > 0 && !/^(?:|[[(,:+*/<>=|&-])$/.test(before);
    if (token.kind === "name" && !isSlice) {
      const cast = all[index + 1]?.text === "::" ? all[index + 2]?.text.toLowerCase() : undefined;
      const name = token.text.slice(1);
      parameters.push({ name, offset: token.offset, ...(cast !== undefined && { cast }) });
      parts.push({ argument: name });
    } else {
      addText(parts, token.text);
    }
    if (token.kind !== "space") before = token.text;
  }
  const keyword = firstKeyword(words);
  const change = hiddenChange(keyword, words);
  return {
    parts,
    parameters,
    problems,
    keyword,
    ...(change !== undefined && { hiddenChange: change }),
  };
}

function addText(parts: SqlPart[], text: string): void {
  const last = parts.at(-1);
  if (typeof last === "string") parts[parts.length - 1] = last + text;
  else parts.push(text);
}

function firstKeyword(words: readonly SqlToken[]): string {
  const first = words.find(({ text }) => text !== "(");
  return first?.kind === "word" ? first.text.toLowerCase() : "";
}

function problemOf(
  { kind, text }: SqlToken,
  index: number,
  words: readonly SqlToken[],
  dialect: SqlDialect,
): SqlProblem["kind"] | undefined {
  if (kind === "unclosed") return "unclosed";
  if (text === ";" && index < words.length - 1) return "secondStatement";
  if (text === "{{") return "templatePlaceholder";
  return kind === "other" && OTHER_PARAMETERS[dialect].test(text) ? "otherParameter" : undefined;
}

function tokensOf(text: string, dialect: SqlDialect): SqlToken[] {
  const tokens: SqlToken[] = [];
  for (let offset = 0; offset < text.length;) {
    const token = tokenAt(text, offset, dialect);
    tokens.push(token);
    offset += token.text.length;
  }
  return tokens;
}

function tokenAt(text: string, offset: number, dialect: SqlDialect): SqlToken {
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset;
    return pattern.exec(text)?.[0];
  };
  const token = (kind: SqlToken["kind"], found: string): SqlToken => ({
    kind,
    text: found,
    offset,
  });
  const space = match(SPACE);
  if (space !== undefined) return token("space", space);
  const quoted = quotedAt(text, offset, dialect);
  if (quoted !== undefined) return token(quoted.isClosed ? "quoted" : "unclosed", quoted.text);
  if (text.startsWith("/*", offset)) {
    const end = endOfComment(text, offset, dialect === "postgres");
    const comment = text.slice(offset, end ?? text.length);
    return token(end === undefined && dialect === "postgres" ? "unclosed" : "space", comment);
  }
  for (const [kind, pattern] of [
    ["word", WORD],
    ["cast", CAST],
    ["name", NAME],
    ["other", NUMBER],
  ] as const) {
    const found = match(pattern);
    if (found !== undefined) return token(kind, found);
  }
  if (text.startsWith("{{", offset)) return token("other", "{{");
  const other = OTHER_PARAMETERS[dialect].exec(text.slice(offset, offset + 64))?.[0];
  return token("other", other ?? String.fromCodePoint(text.codePointAt(offset) ?? 0));
}

/** A string, an identifier in quotes, or a text in dollar quotes. */
function quotedAt(
  text: string,
  offset: number,
  dialect: SqlDialect,
): { text: string; isClosed: boolean } | undefined {
  const opening = text[offset] ?? "";
  if (QUOTES[dialect].includes(opening)) return upToQuote(text, offset, opening);
  if (dialect === "sqlite") {
    return opening === "[" ? upTo(text, offset, offset + 1, "]") : undefined;
  }
  ESCAPED_STRING.lastIndex = offset;
  const [escaped, closing] = ESCAPED_STRING.exec(text) ?? [];
  if (escaped !== undefined) return { text: escaped, isClosed: closing === "'" };
  DOLLAR_QUOTE.lastIndex = offset;
  const [tag] = DOLLAR_QUOTE.exec(text) ?? [];
  return tag === undefined ? undefined : upTo(text, offset, offset + tag.length, tag);
}

function upTo(
  text: string,
  offset: number,
  from: number,
  end: string,
): { text: string; isClosed: boolean } {
  const found = text.indexOf(end, from);
  const isClosed = found >= 0;
  return { text: text.slice(offset, isClosed ? found + end.length : text.length), isClosed };
}

function upToQuote(
  text: string,
  offset: number,
  quote: string,
): { text: string; isClosed: boolean } {
  let end = offset + 1;
  for (; end < text.length; end++) {
    if (text[end] !== quote) continue;
    if (text[end + 1] !== quote) return { text: text.slice(offset, end + 1), isClosed: true };
    end += 1;
  }
  return { text: text.slice(offset), isClosed: false };
}

/** Where a comment ends; undefined where it does not. In Postgres, a comment may hold others. */
function endOfComment(text: string, offset: number, isNested: boolean): number | undefined {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = offset + 2;
  let depth = 1;
  for (let mark = marks.exec(text); mark !== null; mark = marks.exec(text)) {
    if (mark[0] === "*/") depth -= 1;
    else if (isNested) depth += 1;
    if (depth === 0) return mark.index + 2;
  }
  return undefined;
}
