import type { JsonObject } from "./contract.js";

/*
 * Comparisons of texts from a manifest. Their messages are safe for a terminal and name the pointer of the first
 * difference.
 */

/** Control, bidirectional and invisible characters, and lone surrogates. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const LONGEST_TEXT = 1_000;
const LONGEST_VALUE = 300;

/** Makes a text of the manifest safe for a test's title or message: one short line without control characters. */
export function testText(text: string): string {
  const short = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  return short.replace(UNPRINTABLE, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
    return code.length > 4 ? `\\u{${code}}` : `\\u${code}`;
  });
}

/** Compares two JSON values. @throws Error with the pointer of the first difference */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const difference = findDifference(actual, expected, "");
  if (difference === undefined) return;
  const { path, actual: found, expected: wanted } = difference;
  const place = path === "" ? "" : ` at ${testText(path)}`;
  throw new Error(`${testText(what)}${place}: expected ${shown(wanted)}, got ${shown(found)}`);
}

/** Compares the members that an expectation has. The result may be an error only if the expectation is one. */
export function expectParts(result: JsonObject, parts: JsonObject, what: string): void {
  const { isError = false, ...rest } = parts;
  expectEqual(result["isError"] ?? false, isError, `${what}: isError`);
  for (const [key, value] of Object.entries(rest)) {
    expectEqual(result[key], value, `${what}: ${key}`);
  }
}

/** Fails if the condition is false. @throws Error with a message that is safe for a terminal */
export function expectThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(testText(message));
}

/** Formats a value for a message. */
export function shown(value: unknown): string {
  const json = value === undefined ? "nothing" : (JSON.stringify(value) ?? typeof value);
  return testText(json.length > LONGEST_VALUE ? `${json.slice(0, LONGEST_VALUE)}…` : json);
}

interface Difference {
  readonly path: string;
  readonly actual: unknown;
  readonly expected: unknown;
}

function findDifference(actual: unknown, expected: unknown, path: string): Difference | undefined {
  if (Object.is(actual, expected)) return undefined;
  if (!isContainer(actual) || !isContainer(expected)) return { path, actual, expected };
  if (Array.isArray(actual) !== Array.isArray(expected)) return { path, actual, expected };
  for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
    const difference = findDifference(own(actual, key), own(expected, key), `${path}/${key}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function isContainer(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function own(value: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
