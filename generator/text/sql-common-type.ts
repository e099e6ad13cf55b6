import type { SqlToken } from "./sql-tokens.js";

/**
 * The parameters of an expression whose parts get one type, such as `coalesce(:a, :b)`, where no other part tells the type.
 * Postgres takes all of them for texts, or for integers where a whole number stands beside them.
 */
export interface CommonType {
  /** The names of the parameters that get the type. */
  readonly names: readonly string[];
  readonly besideNumber: boolean;
}

const FUNCTIONS = new Set(["coalesce", "greatest", "least", "nullif"]);

/** An expression that is open at a token. */
interface OpenExpression {
  readonly kind: "common" | "case" | "other";
  /** The tokens of its parts that get one type. What stands in brackets is one token. */
  readonly parts: SqlToken[][];
  /** False in the conditions of a `case`. */
  isPart: boolean;
}

/**
 * Finds the parameters that get a common type only from each other, from numbers or from null: in `coalesce`, `greatest`,
 * `least`, `nullif`, `array[…]` and the results of `case`.
 *
 * @param words the tokens without spaces and comments
 */
export function commonTypes(words: readonly SqlToken[]): ReadonlyMap<SqlToken, CommonType> {
  const found = new Map<SqlToken, CommonType>();
  const open: OpenExpression[] = [];
  for (const [index, token] of words.entries()) {
    const text = token.kind === "quoted" ? "" : token.text.toLowerCase();
    const inner = open.at(-1);
    if (isEnd(text, inner)) {
      const expression = open.pop();
      // The cast of an array is one of its items.
      const isCast = text === "]" && words[index + 1]?.text === "::";
      if (expression !== undefined && !isCast) addParameters(found, expression);
    } else if (inner?.kind === "case" && /^(?:when|then|else)$/.test(text)) {
      inner.isPart = text !== "when";
      if (inner.isPart) inner.parts.push([]);
    } else if (inner?.kind === "common" && text === ",") {
      inner.parts.push([]);
    } else {
      if (inner?.isPart === true) inner.parts.at(-1)?.push(token);
      if (text === "case") open.push({ kind: "case", parts: [], isPart: false });
      if (text === "(" || text === "[") open.push(bracket(words, index));
    }
  }
  return found;
}

function isEnd(text: string, inner: OpenExpression | undefined): boolean {
  return inner?.kind === "case" ? text === "end" : text === ")" || text === "]";
}

/** The expression whose brackets open at this index. */
function bracket(words: readonly SqlToken[], index: number): OpenExpression {
  const before = words[index - 1];
  const name = before?.kind === "word" ? before.text.toLowerCase() : "";
  const isCommon = words[index]?.text === "(" ? FUNCTIONS.has(name) : name === "array";
  return isCommon && words[index - 2]?.text !== "."
    ? { kind: "common", parts: [[]], isPart: true }
    : { kind: "other", parts: [], isPart: false };
}

function addParameters(found: Map<SqlToken, CommonType>, { kind, parts }: OpenExpression): void {
  if (kind === "other" || !parts.every((part) => isParameter(part) || isPlain(part))) return;
  const parameters = parts.filter(isParameter).flat();
  const names = parameters.map(({ text }) => text.slice(1));
  const besideNumber = parts.some((part) => /^\d/.test(part.at(-1)?.text ?? ""));
  for (const parameter of parameters) found.set(parameter, { names, besideNumber });
}

function isParameter(part: readonly SqlToken[]): boolean {
  return part.length === 1 && part[0]?.kind === "name";
}

/** Whether a part is null or a number. */
function isPlain(part: readonly SqlToken[]): boolean {
  if (part.some(({ kind }) => kind === "quoted")) return false;
  return /^(?:null|[-+]?\d[\w.]*)$/i.test(part.map(({ text }) => text).join(""));
}
