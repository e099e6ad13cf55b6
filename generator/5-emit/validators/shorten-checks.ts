/**
 * Shortens the conditions that AJV writes, so that there is less code to read and to run.
 *
 * No pattern changes a string of the schema: each matches either a whole string, which stays, or the code
 * to shorten; or it matches whole lines, with each string as one token.
 */

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"`;
/** An expression that reads a value: `data`, `data1.city`, `data["a b"]`, `data1[i0]`. */
const VALUE = String.raw`[\w$]+(?:\.[\w$]+|\[(?:${STRING}|[\w$]+)\])*`;
const NUMBER_LITERAL = String.raw`-?[\d.]+(?:e[+-]?\d+)?`;

/** A pattern, and the function that makes the shorter code of its groups. */
type Rule = readonly [pattern: RegExp, shorten: (...groups: string[]) => string];

/** A rule for code anywhere in a line. The first group is undefined if the match is a whole string. */
function rule(pattern: string, shorten: (...groups: string[]) => string): Rule {
  return [new RegExp(`${STRING}|${pattern}`, "g"), shorten];
}

/** A rule for whole lines. */
function lineRule(pattern: string, shorten: (...groups: string[]) => string): Rule {
  return [new RegExp(`^${pattern}$`, "gm"), shorten];
}

const CONDITION = String.raw`(?:typeof )?${VALUE} !== (?:${STRING}|${NUMBER_LITERAL}|\w+)|!(?:[\w$]+\.)?\w+\(${VALUE}\)`;

const RULES: readonly Rule[] = [
  rule(
    String.raw`!\(\(\(typeof (${VALUE}) == "number"\) && \(!\(\1 % 1\) && !isNaN\(\1\)\)\) && \(isFinite\(\1\)\)\)`,
    (value) => `!Number.isInteger(${value})`,
  ),
  rule(
    String.raw`!\(\(typeof (${VALUE}) == "number"\) && \(isFinite\(\1\)\)\)`,
    (value) => `!Number.isFinite(${value})`,
  ),
  rule(
    String.raw`\(typeof (${VALUE}) == "number"\) && \(isFinite\(\1\)\)`,
    (value) => `Number.isFinite(${value})`,
  ),
  // AJV writes it only after that check.
  rule(String.raw` \|\| isNaN\((${VALUE})\)`, () => ""),
  rule(
    String.raw`(${VALUE}) && typeof \1 == "object" && !Array\.isArray\(\1\)`,
    (value) => `isRecord(${value})`,
  ),
  rule(String.raw`(typeof ${VALUE} [!=])= (?=")`, (comparison) => `${comparison}== `),
  rule(
    String.raw`!\(typeof (${VALUE}) === (${STRING})\)`,
    (value, type) => `typeof ${value} !== ${type}`,
  ),
  rule(String.raw`\(([\w$]+)\)\.includes\(`, (choices) => `${choices}.includes(`),
  rule(String.raw`!\(([\w$.]+\((?:${STRING}|[^"()\n])*\))\)`, (call) => `!${call}`),
  // The operator of a sum, not `++` or `+=`.
  rule(String.raw`(?<=["\w)\]])(?<!\de)( ?)\+ ?(?=["\w(])`, () => " + "),
  lineRule(
    String.raw`if\(!\(((?:[()]|key\d+ === ${STRING}| \|\| )+)\)\)\{`,
    (choices) => `if(${unequalToAll(choices)}){`,
  ),
  lineRule(
    String.raw`if\(\(((?:${CONDITION}|[()]| && )+)\)\)\{`,
    (conditions) => `if(${flat(conditions)}){`,
  ),
];

/** `((key0 === "a") || (key0 === "b"))`, negated: `key0 !== "a" && key0 !== "b"`. */
function unequalToAll(choices: string): string {
  const equal = choices.match(new RegExp(String.raw`key\d+ === ${STRING}`, "g")) ?? [];
  return equal.map((choice) => choice.replace(" === ", " !== ")).join(" && ");
}

/** `((a) && (b)) && (c)` without its parentheses. */
function flat(conditions: string): string {
  return conditions.match(new RegExp(CONDITION, "g"))?.join(" && ") ?? conditions;
}

const MISSING = rule(
  String.raw`\((${VALUE} === undefined)\) \|\| \(!\((Object\.hasOwn\([\w$]+, ${STRING}\))\)\)`,
  (isUndefined, isThere) => `${isUndefined} || !${isThere}`,
);
const MISSING_IN_JSON: Rule = [MISSING[0], (_, isThere) => `!${isThere}`];

const PRESENT = rule(
  String.raw`(${VALUE} !== undefined) && (Object\.hasOwn\([\w$]+, (${STRING})\))`,
  (isDefined, isThere, name = "") =>
    // A result may also have inherited properties, which are checked unless every object has them.
    (JSON.parse(name) as string) in Object.prototype ? `${isDefined} && ${isThere}` : isDefined,
);
const PRESENT_IN_JSON: Rule = [PRESENT[0], (_, isThere) => isThere];

/**
 * Shortens the conditions in the code of a function.
 *
 * @param code code with the names of the generated module
 * @param isParsed true if values are parsed JSON, so that a property that exists is never undefined
 */
export function shortenChecks(code: string, isParsed: boolean): string {
  const rules = isParsed ? [MISSING_IN_JSON, PRESENT_IN_JSON] : [MISSING, PRESENT];
  return [...rules, ...RULES].reduce(
    (text, [pattern, shorten]) =>
      text.replace(pattern, (match: string, ...groups: string[]) =>
        groups[0] === undefined ? match : shorten(...groups),
      ),
    code,
  );
}
