import {
  isJsonObject,
  parsedJson,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../model/json.js";
import type { SharedSchemas } from "../schema/schema-reference.js";
import { wordsOf } from "../text/names.js";
import { Applied, itemSchemas, memberSchemas, type Described } from "./applied-schemas.js";

/** What stands in the place of a secret. */
export const MASK = "********";
/** What stands in the place of a number that is a secret, until an example is made of it. */
export const MASKED_NUMBER = `${MASK} (a number)`;

/** Texts shorter than this are secrets only where they stand as words of their own. */
const SHORT = 4;

/** Numbers with fewer digits are looked for in no other places: they stand for too much else. */
const FEWEST_DIGITS = 3;
/** Last words of names, such as `token_count`, whose numbers measure a secret. They are looked for in no other places, either. */
const MEASURES: ReadonlySet<string> = new Set(
  "count limit length size total usage ttl age seconds minutes ms".split(" "),
);
/** Texts longer than this are too long for a regular expression. */
const LONG = 1_000;
/** Of so many texts, other occurrences are looked for. All are masked where they were found. */
const MOST_TEXTS = 1_000;

/** Texts that are secrets by their form: keys of well-known services, tokens, and credentials in URLs and in settings. */
const SECRET_FORMS: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gu,
  /(?<=\bBearer\s{1,4})[A-Za-z0-9._~+/-]{6,}=*/giu,
  /(?<=\bBasic\s{1,4})[A-Za-z0-9+/]{8,}=*/gu,
  /(?<![\w.-])eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{8,4000}\.[A-Za-z0-9_-]*/gu,
  /\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{16,}/gu,
  /\b(?:gh[opsur]_[A-Za-z0-9]{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|xox[abposr]-[\w-]{10,})/gu,
  /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b|\bAIza[\w-]{35}/gu,
  /(?<=:\/\/[^\s/:@]{0,100}:)[^\s/@]{1,200}(?=@)/gu,
  /(?<=\b(?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key)"?\s?[:=]\s?"?)[^\s"',;&<>]{3,}/giu,
];

const SECRET_WORDS: ReadonlySet<string> = new Set(
  "password passwd passphrase passcode pwd secret secrets token apikey credential credentials authorization bearer cookie cookies jwt otp pin cvv cvc ssn".split(
    " ",
  ),
);
const SECRET_PAIRS =
  /\b(?:api|private|access|signing|encryption|session|auth|master|ssh) (?:keys?|ids?)\b/;

/** True if a key is named like one whose value is a secret: `password`, `apiKey`, `X-Api-Key`, `client_secret`. */
export function isSecretKey(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word) => SECRET_WORDS.has(word)) || SECRET_PAIRS.test(words.join(" "));
}

/** True if a key is named like one whose number measures something: `token_count`, `expiresIn`. */
function isMeasure(name: string): boolean {
  const words = wordsOf(name);
  return MEASURES.has(words.at(-1) ?? "") || /\bexpir(?:es|y)(?: in| at)?$/.test(words.join(" "));
}

/** What secrets a value may have, and what is put in their place. Learn from all values first, then mask them. */
export class Secrets {
  readonly #shared: SharedSchemas;
  readonly #texts = new Set<string>();
  readonly #long = new Set<string>();
  /** Numbers as JSON has them. */
  readonly #numbers = new Set<string>();
  /** Members with numbers, as expressions that find the numbers in JSON. */
  readonly #members = new Set<string>();
  #pattern: RegExp | undefined;

  constructor(shared: SharedSchemas, known: readonly string[]) {
    this.#shared = shared;
    for (const text of known) this.#addText(text);
  }

  /** Finds the secrets in a value: by the names of keys, and by what schemas say of its parts. */
  learn(value: JsonValue, described?: Described): void {
    this.#walk(value, described === undefined ? [] : [described], false, (leaf, isSecret, name) => {
      if (typeof leaf === "number" && isSecret) this.#addNumber(leaf, name);
      else if (typeof leaf === "string" && isSecret) this.#addText(leaf);
      else if (typeof leaf === "string" && /^\s*[[{]/.test(leaf)) {
        const inner = parsedJson(leaf);
        if (inner !== undefined) this.learn(inner);
      }
      return leaf;
    });
  }

  /** A copy of a value in which nothing is left of the secrets that were found in any value. */
  mask(value: JsonValue, described?: Described): JsonValue {
    return this.#walk(
      value,
      described === undefined ? [] : [described],
      false,
      (leaf, isSecret) => {
        if (leaf === MASKED_NUMBER) return leaf;
        if (typeof leaf === "string") return isSecret && leaf !== "" ? MASK : this.maskText(leaf);
        if (typeof leaf !== "number") return leaf;
        return isSecret || this.#isSecretNumber(JSON.stringify(leaf)) ? MASKED_NUMBER : leaf;
      },
      (name) => this.maskText(name),
    );
  }

  /** A text without secrets. */
  maskText(text: string): string {
    const long = [...this.#long].reduce((masked, one) => masked.replaceAll(one, MASK), text);
    this.#pattern ??= patternOf(this.#texts, this.#numbers, this.#members);
    const known = this.#pattern === undefined ? long : long.replace(this.#pattern, MASK);
    return SECRET_FORMS.reduce((masked, form) => masked.replace(form, MASK), known);
  }

  /** Whether a number is a secret, also where another value has it as a text. */
  #isSecretNumber(number: string): boolean {
    return this.#numbers.has(number) || (isLong(number) && this.#texts.has(number));
  }

  #addText(text: string): void {
    if (text.trim() === "" || text === MASK || text === MASKED_NUMBER || this.#isFull) return;
    if (text.length > LONG) this.#long.add(text);
    else this.#texts.add(text);
    this.#pattern = undefined;
  }

  /** @param name the member of which it is the value, or an item */
  #addNumber(value: number, name: string): void {
    if (this.#isFull || isMeasure(name)) return;
    const number = JSON.stringify(value);
    if (isLong(number)) this.#numbers.add(number);
    else if (name !== "") {
      const member = escaped(JSON.stringify(name));
      this.#members.add(`(?<=${member}\\s{0,8}:\\s{0,8})${escaped(number)}(?![\\d.eE])`);
    }
    this.#pattern = undefined;
  }

  get #isFull(): boolean {
    const sets = [this.#texts, this.#long, this.#numbers, this.#members];
    return sets.reduce((sum, { size }) => sum + size, 0) >= MOST_TEXTS;
  }

  /** @param name the closest member in which the value stands; empty for none */
  #walk(
    value: JsonValue,
    described: readonly Described[],
    isSecret: boolean,
    ofLeaf: (leaf: JsonValue, isSecret: boolean, name: string) => JsonValue,
    ofName: (name: string) => string = (one) => one,
    name = "",
  ): JsonValue {
    const applied = new Applied(this.#shared).of(described);
    const isHidden = isSecret || applied.some(({ schema }) => hidesValue(schema));
    if (Array.isArray(value)) {
      return value.map((item, index) =>
        this.#walk(item, itemSchemas(applied, index), isHidden, ofLeaf, ofName, name),
      );
    }
    if (!isJsonObject(value)) return ofLeaf(value, isHidden, name);
    const members = Object.entries(value).map(([key, member]) => [
      ofName(key),
      this.#walk(
        member,
        memberSchemas(applied, key),
        isHidden || isSecretKey(key),
        ofLeaf,
        ofName,
        key,
      ),
    ]);
    return Object.fromEntries(members) as JsonObject;
  }
}

function isLong(number: string): boolean {
  return number.replace(/[^0-9]/g, "").length >= FEWEST_DIGITS;
}

function hidesValue(schema: JsonSchema): boolean {
  if (!isJsonObject(schema)) return false;
  return schema["writeOnly"] === true || schema["format"] === "password";
}

/** The expression of all occurrences of these texts, also as JSON, a part of a URL or base64 has them, and of numbers. */
function patternOf(
  texts: ReadonlySet<string>,
  numbers: ReadonlySet<string>,
  members: ReadonlySet<string>,
): RegExp | undefined {
  const forms = [...texts].flatMap((text) => [
    text,
    ...(text.length < SHORT
      ? []
      : [JSON.stringify(text).slice(1, -1), percentEncoded(text), ...base64Forms(text)]),
  ]);
  const sorted = [...new Set(forms)].filter((form) => form !== "");
  sorted.sort((one, other) => other.length - one.length);
  const ofTexts = sorted.map((form) =>
    form.length < SHORT ? `(?<![\\p{L}\\p{N}])${escaped(form)}(?![\\p{L}\\p{N}])` : escaped(form),
  );
  // Neither within a longer number, nor as a part of one with a fraction, or of a date.
  const ofNumbers = [...numbers].map(
    (number) => `(?<!\\p{N}|\\p{N}[.,-])${escaped(number)}(?!\\p{N}|[.,-]\\p{N})`,
  );
  const parts = [...ofTexts, ...ofNumbers, ...members];
  if (parts.length === 0) return undefined;
  return new RegExp(parts.join("|"), "gu");
}

function base64Forms(text: string): string[] {
  const bytes = Buffer.from(text);
  return bytes.length < 6
    ? []
    : [bytes.toString("base64").replace(/=+$/, ""), bytes.toString("base64url")];
}

/** A text as a URL has it. A lone surrogate has no such form. */
function percentEncoded(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A text as a regular expression that matches only it. */
export function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
