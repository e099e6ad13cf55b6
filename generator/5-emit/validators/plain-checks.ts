/**
 * Writes what AJV checks at length as people would: with less to read, to run and to go wrong.
 *
 * Each pattern is a choice between a whole string and the code that is meant, so that no string of a
 * schema is ever touched.
 */

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"`;
/** Where a value is: `data`, `data1.city`, `data["a b"]`, `data1[i0]`. */
const PLACE = String.raw`[\w$]+(?:\.[\w$]+|\[(?:${STRING}|[\w$]+)\])*`;

const INTEGER = new RegExp(
  String.raw`${STRING}|!\(\(\(typeof (${PLACE}) == "number"\) && \(!\(\1 % 1\) && !isNaN\(\1\)\)\) && \(isFinite\(\1\)\)\)`,
  "g",
);
const NUMBER = new RegExp(
  String.raw`${STRING}|\(typeof (${PLACE}) == "number"\) && \(isFinite\(\1\)\)`,
  "g",
);
const NO_NUMBER = new RegExp(
  String.raw`${STRING}|!\(\(typeof (${PLACE}) == "number"\) && \(isFinite\(\1\)\)\)`,
  "g",
);
/** Stands behind that check only. */
const NOT_A_NUMBER = new RegExp(String.raw`${STRING}| \|\| isNaN\((${PLACE})\)`, "g");

const MISSING = new RegExp(
  String.raw`${STRING}|\(${PLACE} === undefined\) \|\| \(!\((Object\.hasOwn\([\w$]+, ${STRING}\))\)\)`,
  "g",
);
const PRESENT = new RegExp(
  String.raw`${STRING}|(${PLACE} !== undefined) && (Object\.hasOwn\([\w$]+, (${STRING})\))`,
  "g",
);

function replaceCode(code: string, pattern: RegExp, written: (part: string) => string): string {
  return code.replace(pattern, (whole: string, part: string | undefined) =>
    part === undefined ? whole : written(part),
  );
}

/** @param isParsed whether the values come from JSON, so that no property is there and undefined */
export function plainChecks(code: string, isParsed: boolean): string {
  let plain = replaceCode(code, INTEGER, (place) => `!Number.isInteger(${place})`);
  plain = replaceCode(plain, NO_NUMBER, (place) => `!Number.isFinite(${place})`);
  plain = replaceCode(plain, NUMBER, (place) => `Number.isFinite(${place})`);
  plain = replaceCode(plain, NOT_A_NUMBER, () => "");
  if (!isParsed) return plain.replace(PRESENT, presentInResult);
  plain = replaceCode(plain, MISSING, (isThere) => `!${isThere}`);
  return plain.replace(PRESENT, (whole: string, _: unknown, isOwn?: string) => isOwn ?? whole);
}

/** Of what handlers return, all is checked that can be read, but for what every object has. */
function presentInResult(whole: string, isDefined?: string, _?: string, name?: string): string {
  if (isDefined === undefined || name === undefined) return whole;
  return (JSON.parse(name) as string) in Object.prototype ? whole : isDefined;
}
