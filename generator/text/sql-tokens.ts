/** SQL dialects with different rules for tokens. */
export type SqlDialect = "postgres" | "sqlite";

/** A token of a statement; `offset` is in UTF-16 units. */
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
/** In strings of Postgres that begin with E, a backslash escapes the next character. */
const ESCAPED_STRING = /[eE]'(?:[^'\\]|''|\\[^])*('?)/y;

/** Quotes whose closing character is the same; inside, it is doubled. */
const QUOTES: Readonly<Record<SqlDialect, readonly string[]>> = {
  postgres: ["'", '"'],
  sqlite: ["'", '"', "`"],
};

/** Parameters in the database's own syntax, for which mcpwright binds no values. */
export const OTHER_PARAMETERS: Readonly<Record<SqlDialect, RegExp>> = {
  postgres: /^\$\d+/,
  sqlite: /^(?:\?\d*|[@$][A-Za-z_]\w*)/,
};

/** The tokens of a statement, spaces and comments included. */
export function tokensOf(text: string, dialect: SqlDialect): SqlToken[] {
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

/** The string, quoted identifier or dollar-quoted text at an offset; else undefined. */
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

/** The offset after a comment; undefined if it does not end. In Postgres, comments can be nested. */
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
