/**
 * Shortens the checks that AJV writes at length, so that there is less to read and to run.
 *
 * Each pattern is a choice between a whole string and the code that is meant, or is one of whole lines
 * with each string as one token, so that no string of a schema is ever touched.
 */

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"`;
/** Where a value is: `data`, `data1.city`, `data["a b"]`, `data1[i0]`. */
const PLACE = String.raw`[\w$]+(?:\.[\w$]+|\[(?:${STRING}|[\w$]+)\])*`;
const NUMBER_LITERAL = String.raw`-?[\d.]+(?:e[+-]?\d+)?`;

type Rule = readonly [pattern: RegExp, written: (...parts: string[]) => string];

/** Of the parts that a pattern finds, the first is undefined where it found a whole string. */
function rule(pattern: string, written: (...parts: string[]) => string): Rule {
  return [new RegExp(`${STRING}|${pattern}`, "g"), written];
}

/** The same for a pattern of whole lines, where what is written may leave them as they are. */
function ruleOfLines(pattern: string, written: (...parts: string[]) => string): Rule {
  return [new RegExp(`^${pattern}$`, "gm"), written];
}

const CONDITION = String.raw`(?:typeof )?${PLACE} !== (?:${STRING}|${NUMBER_LITERAL}|\w+)|!(?:[\w$]+\.)?\w+\(${PLACE}\)`;

const RULES: readonly Rule[] = [
  rule(
    String.raw`!\(\(\(typeof (${PLACE}) == "number"\) && \(!\(\1 % 1\) && !isNaN\(\1\)\)\) && \(isFinite\(\1\)\)\)`,
    (place) => `!Number.isInteger(${place})`,
  ),
  rule(
    String.raw`!\(\(typeof (${PLACE}) == "number"\) && \(isFinite\(\1\)\)\)`,
    (place) => `!Number.isFinite(${place})`,
  ),
  rule(
    String.raw`\(typeof (${PLACE}) == "number"\) && \(isFinite\(\1\)\)`,
    (place) => `Number.isFinite(${place})`,
  ),
  // Stands behind that check only.
  rule(String.raw` \|\| isNaN\((${PLACE})\)`, () => ""),
  rule(
    String.raw`(${PLACE}) && typeof \1 == "object" && !Array\.isArray\(\1\)`,
    (place) => `isRecord(${place})`,
  ),
  rule(String.raw`(typeof ${PLACE} [!=])= (?=")`, (comparison) => `${comparison}== `),
  rule(
    String.raw`!\(typeof (${PLACE}) === (${STRING})\)`,
    (place, type) => `typeof ${place} !== ${type}`,
  ),
  rule(String.raw`\(([\w$]+)\)\.includes\(`, (choices) => `${choices}.includes(`),
  rule(String.raw`!\(([\w$.]+\((?:${STRING}|[^"()\n])*\))\)`, (call) => `!${call}`),
  // A sum, but for `++` and `+=`.
  rule(String.raw`(?<=["\w)\]])(?<!\de)( ?)\+ ?(?=["\w(])`, () => " + "),
  ruleOfLines(
    String.raw`if\(!\(((?:[()]|key\d+ === ${STRING}| \|\| )+)\)\)\{`,
    (choices) => `if(${otherThan(choices)}){`,
  ),
  ruleOfLines(
    String.raw`if\(\(((?:${CONDITION}|[()]| && )+)\)\)\{`,
    (conditions) => `if(${flat(conditions)}){`,
  ),
];

/** `!(((key0 === "a") || (key0 === "b")))` without its parentheses. */
function otherThan(choices: string): string {
  const equal = choices.match(new RegExp(String.raw`key\d+ === ${STRING}`, "g")) ?? [];
  return equal.map((choice) => choice.replace(" === ", " !== ")).join(" && ");
}

/** `((a) && (b)) && (c)` without its parentheses. */
function flat(conditions: string): string {
  return conditions.match(new RegExp(CONDITION, "g"))?.join(" && ") ?? conditions;
}

const MISSING = rule(
  String.raw`\((${PLACE} === undefined)\) \|\| \(!\((Object\.hasOwn\([\w$]+, ${STRING}\))\)\)`,
  (isUndefined, isThere) => `${isUndefined} || !${isThere}`,
);
const MISSING_IN_JSON: Rule = [MISSING[0], (_, isThere) => `!${isThere}`];

const PRESENT = rule(
  String.raw`(${PLACE} !== undefined) && (Object\.hasOwn\([\w$]+, (${STRING})\))`,
  (isDefined, isThere, name = "") =>
    // Of what handlers return, all is checked that can be read, but for what every object has.
    (JSON.parse(name) as string) in Object.prototype ? `${isDefined} && ${isThere}` : isDefined,
);
const PRESENT_IN_JSON: Rule = [PRESENT[0], (_, isThere) => isThere];

/**
 * @param code of a function, with the names of the generated module
 * @param isParsed whether the values come from JSON, so that no property is there and undefined
 */
export function shortenChecks(code: string, isParsed: boolean): string {
  const rules = isParsed ? [MISSING_IN_JSON, PRESENT_IN_JSON] : [MISSING, PRESENT];
  return [...rules, ...RULES].reduce(
    (short, [pattern, written]) =>
      short.replace(pattern, (whole: string, ...parts: string[]) =>
        parts[0] === undefined ? whole : written(...parts),
      ),
    code,
  );
}
