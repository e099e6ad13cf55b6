import {
  isJsonObject,
  parsedJson,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../model/json.js";
import { isJsonSchema, ownValue } from "../schema/json-schema.js";
import { resolveReference, type SharedSchemas } from "../schema/schema-reference.js";

/** What stands in the place of a secret. */
export const MASK = "********";

/** A schema that describes a value, with the root to which its references are relative. */
export interface Described {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

/** Texts shorter than this are secrets only where they stand as words of their own. */
const SHORT = 4;

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
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[^A-Za-z0-9]+/g, " ")
    .toLowerCase()
    .trim();
  return words.split(" ").some((word) => SECRET_WORDS.has(word)) || SECRET_PAIRS.test(words);
}

/** What secrets a value may have, and what is put in their place. Learn from all values first, then mask them. */
export class Secrets {
  readonly #shared: SharedSchemas;
  readonly #texts = new Set<string>();
  readonly #long = new Set<string>();
  #pattern: RegExp | undefined;

  constructor(shared: SharedSchemas, known: readonly string[]) {
    this.#shared = shared;
    for (const text of known) this.#addText(text);
  }

  /** Finds the secrets in a value: by the names of keys, and by what schemas say of its parts. */
  learn(value: JsonValue, described?: Described): void {
    this.#walk(value, described === undefined ? [] : [described], false, (leaf, isSecret) => {
      if (typeof leaf === "string" && isSecret) this.#addText(leaf);
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
        if (typeof leaf === "string") return isSecret && leaf !== "" ? MASK : this.maskText(leaf);
        return isSecret && typeof leaf === "number" ? 0 : leaf;
      },
      (name) => this.maskText(name),
    );
  }

  /** A text without secrets. */
  maskText(text: string): string {
    const long = [...this.#long].reduce((masked, one) => masked.replaceAll(one, MASK), text);
    this.#pattern ??= patternOf(this.#texts);
    const known = this.#pattern === undefined ? long : long.replace(this.#pattern, MASK);
    return SECRET_FORMS.reduce((masked, form) => masked.replace(form, MASK), known);
  }

  #addText(text: string): void {
    if (text.trim() === "" || text === MASK) return;
    if (this.#texts.size + this.#long.size >= MOST_TEXTS) return;
    if (text.length > LONG) this.#long.add(text);
    else this.#texts.add(text);
    this.#pattern = undefined;
  }

  #walk(
    value: JsonValue,
    described: readonly Described[],
    isSecret: boolean,
    ofLeaf: (leaf: JsonValue, isSecret: boolean) => JsonValue,
    ofName: (name: string) => string = (name) => name,
  ): JsonValue {
    const applied = described.flatMap((one) => this.#applied(one, 0));
    const isHidden = isSecret || applied.some(({ schema }) => hidesValue(schema));
    if (Array.isArray(value)) {
      return value.map((item, index) =>
        this.#walk(item, itemSchemas(applied, index), isHidden, ofLeaf, ofName),
      );
    }
    if (!isJsonObject(value)) return ofLeaf(value, isHidden);
    const members = Object.entries(value).map(([name, member]) => [
      ofName(name),
      this.#walk(
        member,
        memberSchemas(applied, name),
        isHidden || isSecretKey(name),
        ofLeaf,
        ofName,
      ),
    ]);
    return Object.fromEntries(members) as JsonObject;
  }

  /** A schema with those that its references and alternatives lead to. */
  #applied(described: Described, depth: number): Described[] {
    const { schema, root } = described;
    if (!isJsonObject(schema) || depth > DEEPEST) return [];
    const reference = schema["$ref"];
    const target =
      typeof reference === "string" ? resolveReference(root, reference, this.#shared) : undefined;
    const inner = ["allOf", "anyOf", "oneOf", "if", "then", "else"].flatMap((keyword) => {
      const found = ownValue(schema, keyword) ?? null;
      return (Array.isArray(found) ? found : [found]).filter(isJsonObject);
    });
    return [
      described,
      ...(target === undefined ? [] : this.#applied(target, depth + 1)),
      ...inner.flatMap((one) => this.#applied({ schema: one, root }, depth + 1)),
    ];
  }
}

/** The deepest nesting of references and alternatives that is followed. */
const DEEPEST = 12;

function hidesValue(schema: JsonSchema): boolean {
  if (!isJsonObject(schema)) return false;
  return schema["writeOnly"] === true || schema["format"] === "password";
}

function memberSchemas(described: readonly Described[], name: string): Described[] {
  return described.flatMap(({ schema, root }) => {
    const holder = isJsonObject(schema) ? schema : {};
    const properties = ownValue(holder, "properties") ?? null;
    const own = isJsonObject(properties) ? ownValue(properties, name) : undefined;
    return schemasOf([own ?? ownValue(holder, "additionalProperties")], root);
  });
}

function itemSchemas(described: readonly Described[], index: number): Described[] {
  return described.flatMap(({ schema, root }) => {
    const holder = isJsonObject(schema) ? schema : {};
    const { items = null, prefixItems = null } = holder;
    const first = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : [];
    return schemasOf([first[index] ?? items], root);
  });
}

function schemasOf(values: readonly (JsonValue | undefined)[], root: JsonSchema): Described[] {
  return values.flatMap((schema) => (isJsonSchema(schema) ? [{ schema, root }] : []));
}

/** The expression of all occurrences of these texts, also as JSON, a part of a URL or base64 has them. */
function patternOf(texts: ReadonlySet<string>): RegExp | undefined {
  const forms = [...texts].flatMap((text) => [
    text,
    ...(text.length < SHORT
      ? []
      : [JSON.stringify(text).slice(1, -1), percentEncoded(text), ...base64Forms(text)]),
  ]);
  const sorted = [...new Set(forms)].filter((form) => form !== "");
  if (sorted.length === 0) return undefined;
  sorted.sort((one, other) => other.length - one.length);
  const parts = sorted.map((form) =>
    form.length < SHORT ? `(?<![\\p{L}\\p{N}])${escaped(form)}(?![\\p{L}\\p{N}])` : escaped(form),
  );
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
