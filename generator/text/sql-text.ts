import { hiddenChange } from "./sql-changes.js";
import { commonTypes, type CommonType } from "./sql-common-type.js";
import { OTHER_PARAMETERS, tokensOf, type SqlDialect, type SqlToken } from "./sql-tokens.js";
import { untypedParameters, type UntypedPlace } from "./sql-untyped.js";

/** A literal part of a statement, or an argument that is bound there. */
export type SqlPart = string | BoundPart;

interface BoundPart {
  readonly argument: string;
  /** Set if Postgres cannot tell the type of the argument from its place. */
  readonly untyped?: UntypedPlace;
  /** Set if Postgres guesses the type of the argument, since nothing beside it tells the type. */
  readonly common?: CommonType;
}

/** A part of a statement that is not allowed. */
export interface SqlProblem {
  readonly kind: "unclosed" | "secondStatement" | "otherParameter" | "templatePlaceholder";
  readonly offset: number;
  readonly text: string;
}

/** A parameter in a statement. */
export interface SqlParameter {
  readonly name: string;
  readonly offset: number;
  /** The type of the cast after it, in lower case. */
  readonly cast?: string;
  /** The operator, if the parameter is an item of `in (…)`. */
  readonly listOf?: "in" | "not in";
  /** Set if Postgres cannot tell the type of the parameter from its place. */
  readonly untyped?: UntypedPlace;
}

export interface SqlText {
  readonly parts: readonly SqlPart[];
  readonly parameters: readonly SqlParameter[];
  readonly problems: readonly SqlProblem[];
  /** The first keyword, in lower case; empty if there is none. */
  readonly keyword: string;
  /** The change that a statement makes although it begins like one that only reads: `deletes rows`. */
  readonly hiddenChange?: string;
}

/** Splits a statement at its parameters `:name`, which it finds as the database would. */
export function parseSql(text: string, dialect: SqlDialect): SqlText {
  const parts: SqlPart[] = [];
  const parameters: SqlParameter[] = [];
  const problems: SqlProblem[] = [];
  const tokens = tokensOf(text, dialect);
  const words = tokens.filter(({ kind }) => kind !== "space");
  for (const [index, token] of words.entries()) {
    const problem = problemOf(token, index, words, dialect);
    if (problem !== undefined)
      problems.push({ kind: problem, offset: token.offset, text: token.text });
  }
  const itemsOfLists = itemsOfIn(words);
  const untypedTokens =
    dialect === "postgres" ? untypedParameters(words) : new Map<SqlToken, never>();
  const commonTypesOf = dialect === "postgres" ? commonTypes(words) : new Map<SqlToken, never>();
  let brackets = 0;
  let previous = "";
  for (const [index, token] of tokens.entries()) {
    if (token.text === "[" && dialect === "postgres") brackets += 1;
    if (token.text === "]") brackets -= 1;
    const isSlice = brackets > 0 && !/^(?:|[[(,:+*/<>=|&-])$/.test(previous);
    if (token.kind === "name" && !isSlice) {
      const cast =
        tokens[index + 1]?.text === "::" ? tokens[index + 2]?.text.toLowerCase() : undefined;
      const name = token.text.slice(1);
      const listOf = itemsOfLists.get(token);
      const place = untypedTokens.get(token);
      const untyped = place !== undefined && { untyped: place };
      parameters.push({
        name,
        offset: token.offset,
        ...(cast !== undefined && { cast }),
        ...(listOf !== undefined && { listOf }),
        ...untyped,
      });
      const common = commonTypesOf.get(token);
      parts.push({ argument: name, ...untyped, ...(common !== undefined && { common }) });
    } else {
      addText(parts, token.text);
    }
    if (token.kind !== "space") previous = token.text;
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

/** The parameters that are items of `in (…)`, with the operator. */
function itemsOfIn(words: readonly SqlToken[]): ReadonlyMap<SqlToken, "in" | "not in"> {
  const items = new Map<SqlToken, "in" | "not in">();
  const isWord = (index: number, word: string): boolean =>
    words[index]?.kind === "word" && words[index].text.toLowerCase() === word;
  for (const index of words.keys()) {
    if (!isWord(index, "in") || words[index + 1]?.text !== "(") continue;
    const operator = isWord(index - 1, "not") ? "not in" : "in";
    for (let at = index + 2; at < words.length && !/^[()]$/.test(words[at]?.text ?? ""); at++) {
      const token = words[at];
      const isFirst = /^[(,]$/.test(words[at - 1]?.text ?? "");
      const isLast = /^(?:[),]|::)$/.test(words[at + 1]?.text ?? "");
      if (token?.kind === "name" && isFirst && isLast) items.set(token, operator);
    }
  }
  return items;
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
