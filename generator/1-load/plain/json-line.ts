import { isJsonObject, rememberJson, type JsonObject, type JsonValue } from "../../model/json.js";
import { LIMITS } from "../limits.js";
import { isPlainNumber } from "./scalars.js";

/** YAML wants keys on one line to be short; escapes count as they are written. */
const LONGEST_KEY = 150;

/** How JSON begins that has no blanks between its parts. */
const DENSE = /^\{"[^"\\]*":[^ ]/;

/**
 * A mapping that a program wrote as JSON without blanks, read by the engine in a fraction of the time. It
 * is YAML too, and means the same where writing it again gives the same text: then no key stands
 * twice, and numbers and escapes are usual ones.
 *
 * @param depth levels of lists and mappings around it
 * @returns undefined in doubt
 */
export function parseJsonLine(line: string, depth: number): JsonObject | undefined {
  if (!DENSE.test(line) || line.includes("\\u")) return undefined;
  const value = parse(line);
  if (!isJsonObject(value) || JSON.stringify(value) !== line) return undefined;
  if (!isPlain(value, depth)) return undefined;
  rememberJson(value, line);
  return value;
}

function parse(line: string): JsonValue | undefined {
  try {
    return JSON.parse(line) as JsonValue;
  } catch {
    return undefined;
  }
}

function isPlain(value: JsonValue, depth: number): boolean {
  if (typeof value === "number") return isPlainNumber(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth >= LIMITS.depth) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1));
  let count = 0;
  for (const key in value) {
    count += 1;
    if (key.length > LONGEST_KEY || key === "__proto__" || count > LIMITS.keys) return false;
    if (!isPlain(value[key] ?? null, depth + 1)) return false;
  }
  return true;
}
