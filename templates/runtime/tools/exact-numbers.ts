import { randomBytes } from "node:crypto";
import { isObject, type RequestParameters } from "../engine/request-parameters.js";
import type { ExactNumbers, RoundedNumber } from "../engine/rounded-numbers.js";
import type { CheckArguments } from "./definition.js";

/** How numbers are marked. */
interface Mark {
  /** Prefix of the texts that replace rounded numbers in a message. It is random: no client can guess it. */
  readonly prefix: string;
  /** Finds these texts in JSON. */
  readonly pattern: RegExp;
}

/** Made for the first number that is marked: until then, no arguments are searched. */
let mark: Mark | undefined;

function makeMark(): Mark {
  const prefix = `rounded ${randomBytes(12).toString("base64url")} `;
  return { prefix, pattern: new RegExp(`"${prefix}([^"]*)"`, "g") };
}

/** Whether a message may hold a number that would be rounded: few do. */
const suspicious = /\d{16}|\d[eE][+-]?\d/;

/** Longest number that is examined, in characters: a longer one counts as rounded. */
const maxLiteralLength = 1_000;

/** Longest part of a number that an error repeats, in characters. */
const maxExcerptLength = 40;

/** Marks the numbers among arguments and answers of users that JavaScript cannot represent exactly. */
export function convertMessage(message: Buffer): Buffer {
  // Latin-1 has a character for each byte, whatever the encoding of the message.
  const text = message.toString("latin1");
  if (!suspicious.test(text)) return message;
  const marked = new ArgumentNumbers(text).marked();
  return marked === undefined ? message : Buffer.from(marked, "latin1");
}

/** Replaces the marked numbers of arguments by rounded ones, which a schema of an `integer` refuses. */
export function prepareArguments(input: RequestParameters): CheckArguments | undefined {
  const rounded = restore(input);
  return rounded.length === 0 ? undefined : (schema) => problemOf(rounded, schema);
}

export const exactNumbers: ExactNumbers = { restore, withDigits, problemOf };

function restore(input: object): readonly RoundedNumber[] {
  const found: RoundedNumber[] = [];
  if (mark !== undefined) restoreIn(input as Record<string, unknown>, mark.prefix, [], found);
  return found;
}

function withDigits(json: string): string {
  if (mark === undefined) return json;
  return json.replace(mark.pattern, (_text, literal: string) =>
    literal.length <= maxLiteralLength ? literal : JSON.stringify(shortened(literal)),
  );
}

/** The number as an error or a log repeats it. */
function shortened(literal: string): string {
  const isShort = literal.length <= maxExcerptLength;
  return isShort ? literal : `${literal.slice(0, maxExcerptLength)}\u2026`;
}

function problemOf(rounded: readonly RoundedNumber[], schema: object): string | undefined {
  const refused = rounded.find(
    ({ path, literal }) =>
      !Number.isFinite(Number(literal)) || !takesRounded(schema, path, literal),
  );
  if (refused === undefined) return undefined;
  const { path, literal } = refused;
  const location = path.length === 0 ? "" : `${path.join(".")}: `;
  return `${location}${shortened(literal)} cannot be represented exactly and would be read as ${Number(literal)}`;
}

/** The pairs of a member of a message and a member of that which hold arguments or the answers of users. */
const MEMBERS: readonly string[] = ["params arguments", "params inputResponses", "result content"];

/** Finds the numbers among the arguments and answers in a message, which need not be JSON. */
class ArgumentNumbers {
  readonly #text: string;
  readonly #outputParts: string[] = [];
  #copiedUntil = 0;
  #depth = 0;
  /** How deep the members of a request lie: one level deeper in a batch. */
  readonly #requestDepth: number;
  #member = "";
  #parameter = "";

  constructor(text: string) {
    this.#text = text;
    this.#requestDepth = /^\s*\[/.test(text) ? 2 : 1;
  }

  /** The text with the numbers marked; undefined where none is rounded. */
  marked(): string | undefined {
    const text = this.#text;
    for (let at = 0; at < text.length;) at = this.#takeToken(at);
    if (this.#outputParts.length === 0) return undefined;
    return this.#outputParts.join("") + text.slice(this.#copiedUntil);
  }

  /** @returns where the next token may begin */
  #takeToken(at: number): number {
    const character = this.#text.charAt(at);
    if (character === '"') return this.#takeText(at);
    if (character === "-" || isDigit(character)) return this.#takeNumber(at);
    if (character === "{" || character === "[") {
      this.#depth++;
      if (this.#depth === this.#requestDepth) this.#member = "";
      if (this.#depth <= this.#requestDepth + 1) this.#parameter = "";
    } else if (character === "}" || character === "]") this.#depth--;
    return at + 1;
  }

  #takeText(start: number): number {
    const text = this.#text;
    let end = text.indexOf('"', start + 1);
    while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
    if (end === -1) return text.length;
    const isMember = this.#depth === this.#requestDepth;
    if ((isMember || this.#depth === this.#requestDepth + 1) && this.#isKey(end + 1)) {
      const key = decoded(text.slice(start, end + 1));
      if (isMember) this.#member = key;
      else this.#parameter = key;
    }
    return end + 1;
  }

  #takeNumber(start: number): number {
    const pattern = /[-+.\deE]*/y;
    pattern.lastIndex = start;
    const [literal = ""] = pattern.exec(this.#text) ?? [];
    const end = start + literal.length;
    if (this.#isArgument() && isRounded(literal) && !this.#isKey(end)) {
      const { prefix } = (mark ??= makeMark());
      this.#outputParts.push(this.#text.slice(this.#copiedUntil, start), `"${prefix}${literal}"`);
      this.#copiedUntil = end;
    }
    return end;
  }

  #isArgument(): boolean {
    return (
      this.#depth >= this.#requestDepth + 2 &&
      MEMBERS.includes(`${this.#member} ${this.#parameter}`)
    );
  }

  /** Whether a colon comes next. */
  #isKey(at: number): boolean {
    let next = at;
    while (" \t\r\n".includes(this.#text.charAt(next)) && next < this.#text.length) next++;
    return this.#text.charAt(next) === ":";
  }
}

function isDigit(character: string): boolean {
  return character >= "0" && character <= "9";
}

/** Whether the character at an index is escaped: an odd number of backslashes precedes it. */
function isEscaped(text: string, at: number): boolean {
  let start = at;
  while (text.charAt(start - 1) === "\\") start--;
  return (at - start) % 2 === 1;
}

function decoded(json: string): string {
  try {
    return JSON.parse(json) as string;
  } catch {
    return "";
  }
}

/**
 * Whether JavaScript reads a number of JSON as a different one that is whole or infinite.
 * Fractions do not count: they are nearly always rounded, and nobody expects them to be exact.
 */
function isRounded(literal: string): boolean {
  if (literal.length > maxLiteralLength) return /^-?\d/.test(literal);
  const [, whole, fraction = "", exponent = "0"] =
    /^-?(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal) ?? [];
  if (whole === undefined) return false;
  const value = Number(literal);
  if (!Number.isInteger(value)) return !Number.isFinite(value);
  return !isExactly(value, whole + fraction, Number(exponent) - fraction.length);
}

/** Whether a whole number equals these decimal digits, followed by a number of zeros. */
function isExactly(value: number, digits: string, zeros: number): boolean {
  let length = digits.length;
  while (length > 0 && digits.charAt(length - 1) === "0") length--;
  if (length === 0) return value === 0;
  const scale = zeros + digits.length - length;
  // Beyond that, its odd factor 5 ** scale has more bits than a number in JavaScript.
  if (scale < 0 || scale > 22) return false;
  return BigInt(digits.slice(0, length)) * 10n ** BigInt(scale) === BigInt(Math.abs(value));
}

function restoreIn(
  container: Record<string, unknown>,
  prefix: string,
  path: readonly string[],
  found: RoundedNumber[],
): void {
  for (const key in container) {
    const value = container[key];
    if (typeof value === "string" && value.startsWith(prefix)) {
      const literal = value.slice(prefix.length);
      container[key] = Number(literal);
      found.push({ path: [...path, key], literal });
    } else if (typeof value === "object" && value !== null) {
      restoreIn(value as Record<string, unknown>, prefix, [...path, key], found);
    }
  }
}

/**
 * Whether a schema takes a rounded number at a path: where it has the type `number`, or states no type and JavaScript writes
 * the number as it came, such as `1e+39`, so that whoever gets it reads what was sent.
 */
function takesRounded(schema: object, path: readonly string[], literal: string): boolean {
  const types = typesAt(schema, path);
  if (types.has("number")) return true;
  return !types.has("integer") && String(Number(literal)) === literal.replace(/e\+?(?=\d)/i, "e+");
}

/** The types that a schema and its subschemas state for the value at a path. */
function typesAt(schema: object, path: readonly string[]): ReadonlySet<unknown> {
  let schemas: ReadonlySet<object> = withSubschemas([schema], schema);
  for (const key of path) {
    schemas = withSubschemas(
      [...schemas].flatMap((parent) => schemasOfChild(parent, key)),
      schema,
    );
  }
  return new Set([...schemas].flatMap((one) => (one as { readonly type?: unknown }).type));
}

/** Returns schemas with their subschemas that apply to the same value. */
function withSubschemas(schemas: readonly unknown[], root: object): ReadonlySet<object> {
  const all = new Set<object>();
  const pending = [...schemas];
  for (let schema = pending.pop(); schema !== undefined; schema = pending.pop()) {
    if (!isObject(schema) || all.has(schema)) continue;
    all.add(schema);
    for (const keyword of ["allOf", "anyOf", "oneOf", "if", "then", "else"]) {
      pending.push(...[schema[keyword] ?? []].flat());
    }
    pending.push(...Object.values((schema["dependentSchemas"] ?? {}) as object));
    const { $ref } = schema;
    if (typeof $ref === "string") pending.push(schemaAt(root, $ref));
  }
  return all;
}

/** The schema that a reference such as `#/$defs/size` leads to. */
function schemaAt(root: object, reference: string): unknown {
  let schema: unknown = root;
  for (const step of reference.split("/").slice(1)) {
    const key = decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~");
    schema = (schema as Readonly<Record<string, unknown>> | undefined)?.[key];
  }
  return schema ?? {};
}

/** Returns the subschemas for a member or an item of the value that a schema applies to. */
function schemasOfChild(schema: object, key: string): readonly unknown[] {
  const {
    properties = {},
    patternProperties = {},
    prefixItems = [],
    ...otherKeywords
  } = schema as Readonly<Record<string, object>>;
  const own = Object.hasOwn(properties, key) ? (properties as RequestParameters)[key] : undefined;
  if (own !== undefined) return [own];
  const prefixItem = (prefixItems as readonly unknown[])[Number(key)];
  if (prefixItem !== undefined) return [prefixItem];
  return [
    ...Object.values(patternProperties),
    ...["additionalProperties", "unevaluatedProperties", "items", "unevaluatedItems"].flatMap(
      (keyword) => otherKeywords[keyword] ?? [],
    ),
  ];
}
