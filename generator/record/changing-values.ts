import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { pointerSegment } from "../schema/reported-findings.js";
import { escaped, MASK, MASKED_NUMBER } from "./secrets.js";

/** The matchers of an example, by JSON Pointers. */
export type Matchers = Readonly<Record<string, JsonObject>>;

/** An answer as an example has it: shortened, with what holds for the values that change. */
export interface ShortAnswer {
  readonly value: JsonValue;
  readonly matches: Matchers;
}

const UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
const TIME =
  "[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?";
const ULID = "[0-7][0-9A-HJKMNP-TV-Z]{25}";
const HEX = "[0-9a-f]{16,}";
/** The forms of values that every call makes anew. The expression finds them; `pattern` is what an example says of them. */
const FORMS = [UUID, TIME, ULID, HEX];
const CHANGING = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${FORMS.map((form) => `(${form})`).join("|")})(?![\\p{L}\\p{N}])`,
  "gu",
);

/** Texts and lists above these lengths are cut to what is kept of them. */
const LONGEST = { text: 400, items: 5 };
const KEPT = { text: 200, items: 3 };

const DURATION = /(?:duration|elapsed|latency|took|uptime|millis)(?:ms|_ms|seconds)?$/i;
const MOMENT = /(?:time|timestamp|date|at|on|since|until|expires|expiry)$/i;

/** What tells a value that changes from one that stays. */
export interface Circumstances {
  /** The arguments of the call. What they have comes back in an answer unchanged. */
  readonly arguments: JsonObject;
  /** The answers to the same call at other times. */
  readonly others: readonly JsonValue[];
  /** When the call was recorded, in milliseconds since 1970. */
  readonly now: number;
}

/** An answer as an example may have it. */
export function shortAnswer(value: JsonValue, circumstances: Circumstances): ShortAnswer {
  const echoed = JSON.stringify(circumstances.arguments);
  return new Shortening(echoed, circumstances.now).of(value, circumstances.others, "");
}

class Shortening {
  readonly #echoed: string;
  readonly #now: number;

  constructor(echoed: string, now: number) {
    this.#echoed = echoed;
    this.#now = now;
  }

  /** @param others what stands at the same place in other answers to the same call */
  of(value: JsonValue, others: readonly JsonValue[], name: string): ShortAnswer {
    if (value === MASKED_NUMBER) return { value: 0, matches: { "": { type: "number" } } };
    if (Array.isArray(value)) return this.#ofList(value, others, name);
    if (isJsonObject(value)) return this.#ofObject(value, others);
    if (typeof value === "string") return this.#ofText(value, others);
    const isOther = others.some((other) => !isDeepStrictEqual(other, value));
    if (typeof value !== "number") return isOther ? { value, matches: any } : unchanged(value);
    return isOther || this.#isMoment(value, name) || DURATION.test(name)
      ? { value, matches: { "": { type: "number" } } }
      : unchanged(value);
  }

  #ofList(list: JsonValue[], others: readonly JsonValue[], name: string): ShortAnswer {
    const isOther = others.some((one) => !Array.isArray(one) || one.length !== list.length);
    const isLong = list.length > LONGEST.items;
    const kept = isLong ? list.slice(0, KEPT.items) : list;
    const parts = kept.map((item, index) =>
      this.of(item, isOther ? [] : others.map((one) => (one as JsonValue[])[index] ?? null), name),
    );
    const value = parts.map((part) => part.value);
    if (isLong || isOther) return { value, matches: { "": { type: "array" } } };
    return { value, matches: joined(parts.map(({ matches }) => matches)) };
  }

  #ofObject(object: JsonObject, others: readonly JsonValue[]): ShortAnswer {
    const names = Object.keys(object);
    const isSame = others.every(
      (one) =>
        isJsonObject(one) &&
        Object.keys(one).length === names.length &&
        names.every((name) => Object.hasOwn(one, name)),
    );
    const matches: Record<string, JsonObject> = {};
    const members = Object.entries(object).map(([name, member]) => {
      const there = isSame ? others.map((one) => (one as JsonObject)[name] ?? null) : [];
      const part = this.of(member, there, name);
      for (const [pointer, matcher] of Object.entries(part.matches)) {
        matches[`${pointerSegment(name)}${pointer}`] = matcher;
      }
      return [name, part.value] as const;
    });
    const value = Object.fromEntries(members);
    return { value, matches: isSame ? matches : { "": { type: "object" } } };
  }

  #ofText(text: string, others: readonly JsonValue[]): ShortAnswer {
    if (text.length > LONGEST.text) {
      return { value: `${wholeCharacters(text, KEPT.text)}…`, matches: { "": { type: "string" } } };
    }
    const { pattern, changingParts } = this.#patternOf(text);
    const isOther = others.some(
      (other) => typeof other !== "string" || !new RegExp(pattern, "u").test(other),
    );
    if (isOther) {
      const areTexts = others.every((other) => typeof other === "string");
      return { value: text, matches: areTexts ? { "": { type: "string" } } : any };
    }
    if (changingParts === 0) return unchanged(text);
    const isPlain = pattern.length <= 300 && text.split(MASK).length <= 2;
    return { value: text, matches: { "": isPlain ? { pattern } : { type: "string" } } };
  }

  /** The expression of a text in which the parts that change may be others, and the number of these. */
  #patternOf(text: string): { readonly pattern: string; readonly changingParts: number } {
    let changingParts = 0;
    const parts = text.split(MASK).map((part) => {
      let pattern = "";
      let end = 0;
      for (const match of part.matchAll(CHANGING)) {
        const [found, ...groups] = match;
        if (this.#echoed.includes(found)) continue;
        pattern += escaped(part.slice(end, match.index));
        pattern += FORMS[groups.findIndex((group) => group !== undefined)] ?? "";
        end = match.index + found.length;
        changingParts += 1;
      }
      return pattern + escaped(part.slice(end));
    });
    return { pattern: `^${parts.join("[^]*")}$`, changingParts: changingParts + parts.length - 1 };
  }

  /** Whether a number is a time near that of the recording, in seconds or milliseconds. */
  #isMoment(value: number, name: string): boolean {
    if (!MOMENT.test(name) || this.#echoed.includes(String(value))) return false;
    return [this.#now, this.#now / 1000].some((now) => Math.abs(value / now - 1) < 0.2);
  }
}

const any: Matchers = { "": { any: true } };

const unchanged = (value: JsonValue): ShortAnswer => ({ value, matches: {} });

/** The matchers of the items of a list as those of the list: `*` where all have the same. */
function joined(ofItems: readonly Matchers[]): Matchers {
  const [first = {}, ...others] = ofItems;
  const isSame = others.length > 0 && others.every((one) => isDeepStrictEqual(one, first));
  const entries = isSame
    ? Object.entries(first).map(([pointer, matcher]) => [`/*${pointer}`, matcher] as const)
    : ofItems.flatMap((matches, index) =>
        Object.entries(matches).map(
          ([pointer, matcher]) => [`/${index}${pointer}`, matcher] as const,
        ),
      );
  return Object.fromEntries(entries);
}

/** The first characters of a text, of which none is half a pair. */
function wholeCharacters(text: string, count: number): string {
  return text.slice(0, count).replace(/[\uD800-\uDBFF]$/, "");
}
