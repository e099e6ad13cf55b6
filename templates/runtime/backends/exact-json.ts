import { randomBytes } from "node:crypto";
import type { ContentBlock } from "@modelcontextprotocol/server";
import { text } from "../engine/content.js";
import { result } from "../tools/result.js";

/** A whole number that JavaScript would round stands in a marked value as a text that begins so. No service can know it. */
const MARK = `exact ${randomBytes(12).toString("base64url")} `;

const MARKED_TEXT = new RegExp(`"${MARK}(-?\\d+)"`, "g");

/** Whether a text may hold a number that would be rounded: few do. */
const SUSPICIOUS = /\d{16}/;

const NUMBER_OR_TEXT = /"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/** Whether any number was marked since the start: before that there are none to look for. */
let hasMarked = false;

/** JSON whose whole numbers are marked where JavaScript would write them with other digits. */
export function markedJson(json: string): string {
  if (!SUSPICIOUS.test(json)) return json;
  const pieces: string[] = [];
  let kept = 0;
  const pattern = new RegExp(NUMBER_OR_TEXT);
  for (let found = pattern.exec(json); found !== null; found = pattern.exec(json)) {
    const [literal] = found;
    if (literal === '"') {
      pattern.lastIndex = endOfText(json, found.index);
    } else if (/^-?\d{16,}$/.test(literal) && String(Number(literal)) !== literal) {
      pieces.push(json.slice(kept, found.index), `"${MARK}${literal}"`);
      kept = pattern.lastIndex;
    }
  }
  if (kept === 0) return json;
  hasMarked = true;
  return pieces.join("") + json.slice(kept);
}

/** Where a text of JSON ends. @param start of its first quote */
function endOfText(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at++) {
    const character = json.charAt(at);
    if (character === "\\") at++;
    else if (character === '"') return at + 1;
  }
  return json.length;
}

/** The JSON of a marked value, its numbers as they came. */
export function exactJson(marked: unknown): string {
  const json = JSON.stringify(marked);
  return hasMarked ? json.replace(MARKED_TEXT, "$1") : json;
}

/** A marked value with the numbers that JavaScript makes of them; itself where none is marked. */
export function rounded(marked: unknown): unknown {
  return hasMarked ? withoutMarks(marked, Number) : marked;
}

/** A marked value with the digits of these numbers as texts; itself where none is marked. */
export function withDigits(marked: unknown): unknown {
  return hasMarked ? withoutMarks(marked, String) : marked;
}

function withoutMarks(marked: unknown, written: (digits: string) => unknown): unknown {
  if (typeof marked === "string") {
    return marked.startsWith(MARK) ? written(marked.slice(MARK.length)) : marked;
  }
  if (typeof marked !== "object" || marked === null) return marked;
  const entries = Object.entries(marked);
  const changed = entries.map(([key, member]) => [key, withoutMarks(member, written)] as const);
  if (changed.every(([, member], index) => member === entries[index]?.[1])) return marked;
  return Array.isArray(marked) ? changed.map(([, member]) => member) : Object.fromEntries(changed);
}

/**
 * A marked value as the result of a tool with an output schema. What it cannot say stands beside it in texts: the
 * digits of numbers that are rounded, and whether it is a part.
 *
 * @param notice that the value is a part; empty where it is all
 */
export function exactResult(marked: unknown, notice: string): unknown {
  const value = rounded(marked);
  if (value === marked && notice === "") return value;
  const told =
    value === marked ? "" : "[structuredContent has rounded numbers: their digits are in the text]";
  const content: ContentBlock[] = [exactJson(marked), told, notice].filter(Boolean).map(text);
  return result({ content, structuredContent: value });
}
