import { randomBytes } from "node:crypto";
import type { ContentBlock } from "@modelcontextprotocol/server";
import { text } from "../engine/content.js";
import { result } from "../tools/result.js";
import type { Masking } from "./masking.js";
import { isTooDeep, MAX_DEPTH } from "./depth.js";

/** How integers are marked. */
interface Mark {
  /**
   * The prefix of the strings that replace, in a marked value, the integers that JavaScript would round.
   * It is random, so that no service can send such a string, and has no words, so that no masked secret changes it.
   */
  readonly prefix: string;
  /** Finds these strings in JSON. */
  readonly pattern: RegExp;
}

let madeMark: Mark | undefined;

/** The mark of this process. It is made at its first use, since workers allow no randomness before a request. */
function mark(): Mark {
  if (madeMark !== undefined) return madeMark;
  const prefix = randomBytes(16).toString("base64url");
  return (madeMark = { prefix, pattern: new RegExp(`"${prefix}([^"]*)"`, "g") });
}

const DIGITS = /^-?\d+$/;

/** A quick test for most JSON texts: only integers of 16 digits or more can be rounded. */
const LONG_INTEGER = /\d{16}/;

const QUOTE_OR_NUMBER = /"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** An integer as JSON writes it. A colon after it would make it the name of a member, which is no JSON. */
const JSON_INTEGER = /^-?[1-9]\d{15,}$/;
const COLON_NEXT = /[ \t\r\n]*:/y;

/** JSON of another service is nested deeper than this server goes through. */
export class TooDeepError extends Error {
  override readonly name = "TooDeepError";
}

/** Whether the process has marked any number; if not, no value needs a search for marks. */
let hasMarked = false;

/**
 * The value of a JSON text without secrets, and with a mark on each integer whose digits JavaScript would change. Only
 * the other functions of this module may read a marked value.
 *
 * @throws SyntaxError if the text is no JSON
 * @throws TooDeepError if it is nested too deeply
 */
export function parseMarked(json: string, masking: Masking): unknown {
  const value: unknown = JSON.parse(masking.text(markedJson(json)));
  // A shorter text has too few brackets.
  if (json.length > MAX_DEPTH && isTooDeep(value)) throw new TooDeepError();
  // An escape may hide a secret in the text, so the parsed value is searched too.
  return json.includes("\\") ? masking.json(value) : value;
}

/** The JSON text with a mark on each integer whose digits JavaScript would change. */
function markedJson(json: string): string {
  if (!LONG_INTEGER.test(json)) return json;
  const output: string[] = [];
  let copiedUntil = 0;
  const pattern = new RegExp(QUOTE_OR_NUMBER);
  for (let match = pattern.exec(json); match !== null; match = pattern.exec(json)) {
    const [literal] = match;
    if (literal === '"') {
      pattern.lastIndex = endOfString(json, match.index);
    } else if (isRounded(literal) && !isName(json, pattern.lastIndex)) {
      output.push(json.slice(copiedUntil, match.index), `"${mark().prefix}${literal}"`);
      copiedUntil = pattern.lastIndex;
    }
  }
  if (copiedUntil === 0) return json;
  hasMarked = true;
  return output.join("") + json.slice(copiedUntil);
}

function isRounded(literal: string): boolean {
  return JSON_INTEGER.test(literal) && String(Number(literal)) !== literal;
}

/** Whether a colon follows the number that ends at an index. */
function isName(json: string, end: number): boolean {
  COLON_NEXT.lastIndex = end;
  return COLON_NEXT.test(json);
}

/** The index after the closing quote of a JSON string. @param start the index of its opening quote */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const character = json.charAt(at);
    if (character === "\\") at++;
    else if (character === '"') return at + 1;
  }
  return json.length;
}

/** The JSON text of a marked value, with the original digits of its numbers. */
export function exactJson(marked: unknown): string {
  const json = JSON.stringify(marked);
  if (!hasMarked) return json;
  // Digits that contain a secret are masked, and are no number any more.
  return json.replace(mark().pattern, (_string, digits: string) =>
    DIGITS.test(digits) ? digits : `"${digits}"`,
  );
}

/** A marked value with its marked numbers rounded; the same value if none is marked. */
export function withRoundedNumbers(marked: unknown): unknown {
  return hasMarked ? withoutMarks(marked, Number) : marked;
}

/** A marked value with its marked numbers as strings of digits; the same value if none is marked. */
export function withDigitStrings(marked: unknown): unknown {
  return hasMarked ? withoutMarks(marked, String) : marked;
}

function withoutMarks(marked: unknown, convert: (digits: string) => unknown): unknown {
  if (typeof marked === "string") {
    if (!marked.startsWith(mark().prefix)) return marked;
    const digits = marked.slice(mark().prefix.length);
    return DIGITS.test(digits) ? convert(digits) : digits;
  }
  if (typeof marked !== "object" || marked === null) return marked;
  const entries = Object.entries(marked);
  const unmarked = entries.map(([key, member]) => [key, withoutMarks(member, convert)] as const);
  if (unmarked.every(([, member], index) => member === entries[index]?.[1])) return marked;
  return Array.isArray(marked)
    ? unmarked.map(([, member]) => member)
    : Object.fromEntries(unmarked);
}

/**
 * The result of a tool with an output schema from a marked value. If numbers are rounded or the value is
 * incomplete, the text content has the exact digits and says so.
 *
 * @param notice says that the value is incomplete; empty if it is complete
 */
export function exactResult(marked: unknown, notice: string): unknown {
  const value = withRoundedNumbers(marked);
  if (value === marked && notice === "") return value;
  const roundingNotice =
    value === marked ? "" : "[structuredContent has rounded numbers: their digits are in the text]";
  const content: ContentBlock[] = [exactJson(marked), roundingNotice, notice]
    .filter(Boolean)
    .map(text);
  return result({ content, structuredContent: value });
}
