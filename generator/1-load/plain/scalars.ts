import { doubt } from "./doubt.js";

const NAMED: ReadonlyMap<string, boolean | null> = new Map([
  ...["null", "Null", "NULL", "~"].map((text): [string, null] => [text, null]),
  ...["true", "True", "TRUE"].map((text): [string, boolean] => [text, true]),
  ...["false", "False", "FALSE"].map((text): [string, boolean] => [text, false]),
]);

const LONGEST_NAME = 5;
/** `A`: numbers begin with what comes before it. */
const FIRST_LETTER = 65;

/** So few digits that no number is rounded; a leading zero or sign is left to the library. */
const NUMBER = /^(?:0|-?[1-9][0-9]{0,14}|-?(?:0|[1-9][0-9]{0,6})\.[0-9]{1,7})$/;
/** What could be any number of YAML. */
const LIKE_A_NUMBER =
  /^[-+]?(?:(?:\.[0-9]+|[0-9]+\.?[0-9]*)(?:[eE][-+]?[0-9]+)?|0[ox][0-9a-fA-F]+|\.[a-zA-Z]+)$/;

/** Whether a number, as it is usually written, is one that is read here. */
export function isPlainNumber(value: number): boolean {
  return NUMBER.test(String(value));
}

/** What a scalar without quotes stands for. */
export function resolvePlain(text: string): string | number | boolean | null {
  const named = text.length <= LONGEST_NAME ? NAMED.get(text) : undefined;
  if (named !== undefined) return named;
  if (text.charCodeAt(0) >= FIRST_LETTER) return text;
  if (NUMBER.test(text)) return withoutSignOfZero(Number(text));
  return LIKE_A_NUMBER.test(text) ? doubt() : text;
}

/** JSON as it is written has no -0: the lock would say 0. */
export function withoutSignOfZero(value: number): number {
  return value === 0 ? 0 : value;
}

/** Whether a key without quotes is a string, and one that a manifest may have. */
export function isStringKey(text: string): boolean {
  return !NAMED.has(text) && text !== "__proto__";
}

/**
 * What a scalar in double quotes stands for, where its escapes are those of JSON.
 *
 * @param quoted its lines folded, with its quotes
 */
export function unescape(quoted: string): string {
  if (/\\u[dD][89a-fA-F]/.test(quoted)) doubt();
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return doubt();
  }
}
