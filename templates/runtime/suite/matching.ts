import { stepsOf } from "../upstreams/pointer.js";
import type { Json, JsonObject } from "./contract.js";
import { expectParts, expectThat, shown } from "./expectation.js";

/** What holds for a value that differs from answer to answer. Without `type` and `pattern`, any value is right. */
export interface ValueMatcher {
  /** The JSON Pointer of the value in the answer. A step `*` is every item of a list. */
  readonly at: string;
  /** The type of JSON that the value has. */
  readonly type?: string;
  /** The regular expression that the value matches, as a text. */
  readonly pattern?: string;
}

/**
 * Compares the members that an expectation has. Values with a matcher may differ from the expected ones as far as it
 * allows; they must be there.
 *
 * @throws Error with the pointer of the first difference
 */
export function expectMatching(
  result: JsonObject,
  parts: JsonObject,
  matches: readonly ValueMatcher[] | undefined,
  what: string,
): void {
  const replaced = (matches ?? []).reduce<Json>(
    (value, matcher) =>
      new MatchedValues(matcher, what).replace(value, parts, stepsOf(matcher.at), ""),
    result,
  );
  expectParts(replaced as JsonObject, parts, what);
}

/** Replaces the values that one matcher accepts by the expected ones. */
class MatchedValues {
  readonly #matcher: ValueMatcher;
  readonly #what: string;

  constructor(matcher: ValueMatcher, what: string) {
    this.#matcher = matcher;
    this.#what = what;
  }

  /** A copy of a value with the expected values at these steps; what is in only one of both stays as it is. */
  replace(value: Json, expected: Json, [step, ...inner]: readonly string[], place: string): Json {
    if (step === undefined) {
      this.#expectMatch(value, place);
      return expected;
    }
    if (Array.isArray(value) && Array.isArray(expected)) {
      return value.map((item, index) =>
        (step === "*" || step === String(index)) && index < expected.length
          ? this.replace(item, expected[index] ?? null, inner, `${place}/${index}`)
          : item,
      );
    }
    const [found, wanted] = [memberOf(value, step), memberOf(expected, step)];
    if (found === undefined || wanted === undefined) return value;
    const replaced = this.replace(found, wanted, inner, `${place}/${step}`);
    return { ...(value as JsonObject), [step]: replaced };
  }

  #expectMatch(value: Json, place: string): void {
    const { type, pattern } = this.#matcher;
    const isMatch =
      pattern === undefined
        ? type === undefined || hasType(value, type)
        : typeof value === "string" && new RegExp(pattern, "u").test(value);
    const expected =
      pattern === undefined ? `a value of the type ${type}` : `a text that matches ${pattern}`;
    expectThat(isMatch, `${this.#what} at ${place}: expected ${expected}, got ${shown(value)}`);
  }
}

function memberOf(value: Json, name: string): Json | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined;
}

function hasType(value: Json, type: string): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "null") return value === null;
  if (type === "array") return Array.isArray(value);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return type === "object" ? isObject : typeof value !== "object" && typeof value === type;
}
