import { randomBytes } from "node:crypto";
import type { ContentBlock } from "@modelcontextprotocol/server";
import { text } from "../engine/content.js";
import { result } from "../tools/result.js";

/**
 * The prefix of the strings that replace, in a marked value, the integers that JavaScript would round.
 * It is random, so that no service can send such a string.
 */
const MARK = `exact ${randomBytes(12).toString("base64url")} `;

const MARKED_STRING = new RegExp(`"${MARK}(-?\\d+)"`, "g");

/** A quick test for most JSON texts: only integers of 16 digits or more can be rounded. */
const LONG_INTEGER = /\d{16}/;

const QUOTE_OR_NUMBER = /"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** Whether the process has marked any number; if not, no value needs a search for marks. */
let hasMarked = false;

/** The JSON text with a mark on each integer whose digits JavaScript would change. */
export function markedJson(json: string): string {
  if (!LONG_INTEGER.test(json)) return json;
  const output: string[] = [];
  let copiedUntil = 0;
  const pattern = new RegExp(QUOTE_OR_NUMBER);
  for (let match = pattern.exec(json); match !== null; match = pattern.exec(json)) {
    const [literal] = match;
    if (literal === '"') {
      pattern.lastIndex = endOfString(json, match.index);
    } else if (/^-?\d{16,}$/.test(literal) && String(Number(literal)) !== literal) {
      output.push(json.slice(copiedUntil, match.index), `"${MARK}${literal}"`);
      copiedUntil = pattern.lastIndex;
    }
  }
  if (copiedUntil === 0) return json;
  hasMarked = true;
  return output.join("") + json.slice(copiedUntil);
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
  return hasMarked ? json.replace(MARKED_STRING, "$1") : json;
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
    return marked.startsWith(MARK) ? convert(marked.slice(MARK.length)) : marked;
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
