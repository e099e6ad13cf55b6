import { hasFormat } from "../../schema/formats/format-checks.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import { canonicalText, repeatedIndexes } from "../../schema/equality.js";

/** Decides by the keywords that look at a value as a whole: types, listed values, bounds, texts, counts. */
export class PlainKeywords {
  readonly #listed = new WeakMap<readonly JsonValue[], ReadonlySet<string>>();
  readonly #expressions = new Map<string, RegExp>();

  /** Whether the value meets the keyword; true for keywords that ask something else. */
  accepts(value: JsonValue, keyword: string, rule: JsonValue, schema: JsonObject): boolean {
    if (keyword === "type") return [rule].flat().some((type) => isOfType(value, type));
    if (keyword === "const") return canonicalText(value) === canonicalText(rule);
    if (keyword === "enum") return !Array.isArray(rule) || this.#isListed(value, rule);
    if (keyword === "format") return hasFormat(value, String(rule));
    if (keyword === "pattern") return this.#matches(value, String(rule), schema);
    if (keyword === "uniqueItems") {
      return rule !== true || !Array.isArray(value) || repeatedIndexes(value).length === 0;
    }
    return typeof rule !== "number" || isWithin(value, keyword, rule);
  }

  /** The regular expression of a pattern, made once. */
  expression(pattern: string): RegExp {
    let expression = this.#expressions.get(pattern);
    if (expression === undefined) {
      expression = new RegExp(pattern, "u");
      this.#expressions.set(pattern, expression);
    }
    return expression;
  }

  #isListed(value: JsonValue, values: readonly JsonValue[]): boolean {
    let texts = this.#listed.get(values);
    if (texts === undefined) {
      texts = new Set(values.map(canonicalText));
      this.#listed.set(values, texts);
    }
    return texts.has(canonicalText(value));
  }

  /** Not run on a text that `maxLength` refuses: the time of an accepted pattern may grow with the square of the length. */
  #matches(value: JsonValue, pattern: string, { maxLength }: JsonObject): boolean {
    if (typeof value !== "string") return true;
    // A character has one or two units.
    const mostUnits = typeof maxLength === "number" ? 2 * maxLength : Infinity;
    return value.length > mostUnits || this.expression(pattern).test(value);
  }
}

function isOfType(value: JsonValue, type: JsonValue): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value);
    case "integer":
      return Number.isInteger(value);
    case "number":
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

/** Keywords with a number, by the kind of value that they measure. */
function isWithin(value: JsonValue, keyword: string, bound: number): boolean {
  if (typeof value === "number") return isNumberWithin(value, keyword, bound);
  if (typeof value === "string") return isCountWithin([...value].length, keyword, bound, "Length");
  if (Array.isArray(value)) return isCountWithin(value.length, keyword, bound, "Items");
  if (!isJsonObject(value)) return true;
  return isCountWithin(Object.keys(value).length, keyword, bound, "Properties");
}

function isCountWithin(count: number, keyword: string, bound: number, what: string): boolean {
  if (keyword === `min${what}`) return count >= bound;
  return keyword !== `max${what}` || count <= bound;
}

function isNumberWithin(value: number, keyword: string, bound: number): boolean {
  switch (keyword) {
    case "minimum":
      return value >= bound;
    case "maximum":
      return value <= bound;
    case "exclusiveMinimum":
      return value > bound;
    case "exclusiveMaximum":
      return value < bound;
    case "multipleOf":
      // Nothing is a multiple of 0; the keyword's own value is reported.
      return bound <= 0 || isMultipleOf(value, bound);
    default:
      return true;
  }
}

/** In decimal, as the numbers are written: 0.07 is a multiple of 0.01. */
function isMultipleOf(value: number, divisor: number): boolean {
  if (value % divisor === 0) return true;
  const [left, right] = [decimalOf(value), decimalOf(divisor)];
  const places = Math.max(left.places, right.places);
  const scaled = left.digits * 10n ** BigInt(places - left.places);
  return scaled % (right.digits * 10n ** BigInt(places - right.places)) === 0n;
}

/** `digits` divided by ten to the power of `places`. */
function decimalOf(number: number): { digits: bigint; places: number } {
  const [mantissa = "", power = "0"] = String(number).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), places: fraction.length - Number(power) };
}
