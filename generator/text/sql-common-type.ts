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

/** Functions that give a common type to their arguments. Postgres guesses it if nothing tells it. */
const GUESSED = new Set(["coalesce", "greatest", "least", "nullif"]);

/** Functions that Postgres refuses if nothing tells the types of their arguments. */
const REFUSED = new Set(["generate_series", "mod", "gcd", "lcm"]);

/** An expression that is open at a token. What stands in brackets within it is one token. */
interface OpenExpression {
  readonly kind: "common" | "refused" | "case" | "other";
  /** The parts that get one type. */
  readonly parts: SqlToken[][];
  /** What a `case` compares: `case :a when :b`. Empty if it has conditions. */
  readonly compared: SqlToken[][];
  /** The part at the end of what was read. */
  part?: SqlToken[];
}

/**
 * Finds the parameters that get a common type only from each other, from numbers or from null: in `coalesce`, `greatest`,
 * `least`, `nullif`, `array[…]`, what `case` compares and its results, and functions that take several types of numbers.
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
      if (expression !== undefined && !isCast) addExpression(found, expression);
    } else if (inner?.kind === "case" && /^(?:when|then|else)$/.test(text)) {
      beginPart(inner, text === "when" ? inner.compared : inner.parts);
    } else if (inner?.part !== undefined && inner.kind !== "case" && text === ",") {
      beginPart(inner, inner.parts);
    } else {
      inner?.part?.push(token);
      if (text === "case") open.push(opened("case"));
      if (text === "(" || text === "[") open.push(bracket(words, index));
    }
  }
  return found;
}

function opened(kind: OpenExpression["kind"]): OpenExpression {
  const expression: OpenExpression = { kind, parts: [], compared: [] };
  if (kind !== "other") beginPart(expression, expression[kind === "case" ? "compared" : "parts"]);
  return expression;
}

function beginPart(expression: OpenExpression, parts: SqlToken[][]): void {
  expression.part = [];
  parts.push(expression.part);
}

function isEnd(text: string, inner: OpenExpression | undefined): boolean {
  return inner?.kind === "case" ? text === "end" : text === ")" || text === "]";
}

/** The expression whose brackets open at this index. */
function bracket(words: readonly SqlToken[], index: number): OpenExpression {
  const before = words[index - 1];
  const name = before?.kind === "word" ? before.text.toLowerCase() : "";
  if (words[index - 2]?.text === ".") return opened("other");
  if (words[index]?.text === "[") return opened(name === "array" ? "common" : "other");
  if (REFUSED.has(name)) return opened("refused");
  return opened(GUESSED.has(name) ? "common" : "other");
}

function addExpression(
  found: Map<SqlToken, CommonType>,
  { kind, parts, compared }: OpenExpression,
): void {
  // A number among the arguments tells Postgres which of the functions is meant.
  if (kind === "refused" && !parts.every(isParameter)) return;
  addParameters(found, parts, parts.some(isNumber));
  // Postgres takes what is compared first for a text, whatever it is compared with.
  if (compared[0] !== undefined && isParameter(compared[0])) addParameters(found, compared, false);
}

function addParameters(
  found: Map<SqlToken, CommonType>,
  parts: readonly (readonly SqlToken[])[],
  besideNumber: boolean,
): void {
  if (!parts.every((part) => isParameter(part) || isPlain(part))) return;
  const parameters = parts.filter(isParameter).flat();
  const common = { names: parameters.map(({ text }) => text.slice(1)), besideNumber };
  for (const parameter of parameters) found.set(parameter, common);
}

function isNumber(part: readonly SqlToken[]): boolean {
  return /^\d/.test(part.at(-1)?.text ?? "");
}

function isParameter(part: readonly SqlToken[]): boolean {
  return part.length === 1 && part[0]?.kind === "name";
}

/** Whether a part is null or a number. */
function isPlain(part: readonly SqlToken[]): boolean {
  if (part.some(({ kind }) => kind === "quoted")) return false;
  return /^(?:null|[-+]?\d[\w.]*)$/i.test(part.map(({ text }) => text).join(""));
}
