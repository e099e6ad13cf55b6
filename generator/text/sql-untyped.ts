import type { SqlToken } from "./sql-tokens.js";

/**
 * Why Postgres cannot tell the type of a parameter from its place: a test for null takes any value, and a function takes
 * values of any of these kinds.
 */
export type UntypedPlace = "null test" | "any" | "list" | "number" | "time" | "number or time";

/** Arguments of functions whose types Postgres does not choose: `from` is the first such argument, `to` the last. */
interface UntypedArguments {
  readonly takes: UntypedPlace;
  readonly from?: number;
  readonly to?: number;
}

const ONLY_FIRST = { from: 0, to: 0 };

/** Functions of Postgres by what their untyped arguments take. `row` is a constructor. */
const FUNCTIONS: readonly (readonly [names: string, UntypedArguments])[] = [
  ["concat json_build_array jsonb_build_array json_build_object", { takes: "any" }],
  ["jsonb_build_object json_object_agg jsonb_object_agg", { takes: "any" }],
  ["num_nulls num_nonnulls row", { takes: "any" }],
  ["concat_ws format", { takes: "any", from: 1 }],
  ["count pg_typeof to_json to_jsonb json_agg jsonb_agg", { takes: "any", ...ONLY_FIRST }],
  ["array_agg first_value last_value nth_value lag lead", { takes: "any", ...ONLY_FIRST }],
  ["unnest cardinality array_length array_lower array_upper", { takes: "list", ...ONLY_FIRST }],
  ["array_ndims array_dims array_to_string array_to_json", { takes: "list", ...ONLY_FIRST }],
  ["generate_subscripts trim_array", { takes: "list", ...ONLY_FIRST }],
  ["sum avg trunc to_hex bit_count", { takes: "number", ...ONLY_FIRST }],
  ["age isfinite extract", { takes: "time", ...ONLY_FIRST }],
  ["date_part date_trunc", { takes: "time", from: 1, to: 1 }],
  ["to_char", { takes: "number or time", ...ONLY_FIRST }],
];

const UNTYPED_ARGUMENTS: ReadonlyMap<string, UntypedArguments> = new Map(
  FUNCTIONS.flatMap(([names, untyped]) => names.split(" ").map((name) => [name, untyped] as const)),
);

/** Words after which an expression begins. */
const BEFORE_EXPRESSIONS = new Set(
  "select where having on and or not when then else case distinct all by filter returning using".split(
    " ",
  ),
);

/**
 * Finds the parameters whose type Postgres does not learn from their place, so that it refuses the statement
 * unless the place says the type: `:a is null`, `concat(:a)`.
 *
 * @param words the tokens without spaces and comments
 */
export function untypedParameters(words: readonly SqlToken[]): ReadonlyMap<SqlToken, UntypedPlace> {
  const found = new Map<SqlToken, UntypedPlace>();
  const calls = new OpenCalls(words);
  for (const [index, token] of words.entries()) {
    if (token.kind === "name") {
      const place = placeOf(words, index, calls);
      if (place !== undefined) found.set(token, place);
    }
    calls.pass(index);
  }
  return found;
}

function placeOf(
  words: readonly SqlToken[],
  index: number,
  calls: OpenCalls,
): UntypedPlace | undefined {
  let [start, end] = [index, index];
  // Brackets around the parameter alone change nothing, but those of a call do.
  for (; ; start--, end++) {
    const isBracketed = textAt(words, start - 1) === "(" && textAt(words, end + 1) === ")";
    if (!isBracketed || !beginsExpression(words, start - 1)) break;
  }
  if (isNullTest(words, end + 1) && beginsExpression(words, start)) return "null test";
  // The call of an argument in brackets of its own is not looked for.
  return start === index && isWholeArgument(words, index) ? calls.untyped() : undefined;
}

/** Whether the token before this index can stand before an expression. The `and` of `between` stands within one. */
function beginsExpression(words: readonly SqlToken[], index: number): boolean {
  const before = textAt(words, index - 1);
  if (before === "(" || before === ",") return true;
  return BEFORE_EXPRESSIONS.has(before) && !(before === "and" && isOfBetween(words, index - 1));
}

/** Whether an `and` belongs to a `between` in the same brackets. */
function isOfBetween(words: readonly SqlToken[], index: number): boolean {
  let depth = 0;
  for (let at = index - 1; at >= 0 && depth >= 0; at--) {
    const text = textAt(words, at);
    if (text === ")") depth += 1;
    if (text === "(") depth -= 1;
    if (depth === 0 && text === "between") return true;
    if (depth === 0 && BEFORE_EXPRESSIONS.has(text)) return false;
  }
  return false;
}

function isNullTest(words: readonly SqlToken[], index: number): boolean {
  const next = [0, 1, 2, 3, 4].map((step) => textAt(words, index + step)).join(" ");
  return /^(?:isnull|notnull|is (?:not )?(?:distinct from )?null)(?: |$)/.test(next);
}

/** Whether a parameter is all of an argument: `(:a,`, `(distinct :a)`, `(year from :a)`, `(:a order by`. */
function isWholeArgument(words: readonly SqlToken[], index: number): boolean {
  const isBegin = /^(?:\(|,|distinct|all|from)$/.test(textAt(words, index - 1));
  return isBegin && /^(?:\)|,|order)$/.test(textAt(words, index + 1));
}

const textAt = (words: readonly SqlToken[], index: number): string => {
  const token = words[index];
  return token?.kind === "word" ? token.text.toLowerCase() : (token?.text ?? "");
};

/** The brackets that are open at a token, with the function that each belongs to. */
class OpenCalls {
  readonly #words: readonly SqlToken[];
  readonly #open: { readonly name: string; position: number }[] = [];

  constructor(words: readonly SqlToken[]) {
    this.#words = words;
  }

  pass(index: number): void {
    const text = textAt(this.#words, index);
    if (text === "(" || text === "[") {
      this.#open.push({ name: text === "(" ? this.#functionBefore(index) : "", position: 0 });
    }
    if (text === ")" || text === "]") this.#open.pop();
    const call = this.#open.at(-1);
    if (text === "," && call !== undefined) call.position += 1;
  }

  /** What the argument at this place takes, if its function leaves the type open. */
  untyped(): UntypedPlace | undefined {
    const { name = "", position = 0 } = this.#open.at(-1) ?? {};
    const untyped = UNTYPED_ARGUMENTS.get(name);
    if (untyped === undefined) return undefined;
    const { takes, from = 0, to = Infinity } = untyped;
    return position >= from && position <= to ? takes : undefined;
  }

  /** The function whose brackets open here; empty for one of a schema other than that of Postgres. */
  #functionBefore(index: number): string {
    const isQualified = textAt(this.#words, index - 2) === ".";
    if (isQualified && textAt(this.#words, index - 3) !== "pg_catalog") return "";
    return this.#words[index - 1]?.kind === "word" ? textAt(this.#words, index - 1) : "";
  }
}
