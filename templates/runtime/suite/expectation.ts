import type { JsonObject } from "./contract.js";

/**
 * Comparisons for texts that a manifest holds: what they print on failure is safe for a terminal
 * and names the place of the first difference.
 */

/** Controls, bidirectional and invisible characters, and half characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const LONGEST_TEXT = 1_000;
const LONGEST_VALUE = 300;

/** A text of the manifest as part of a test's title or message: one short line, nothing in it acts on a terminal. */
export function testText(text: string): string {
  const short = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
  return short.replace(UNPRINTABLE, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).padStart(4, "0");
    return code.length > 4 ? `\\u{${code}}` : `\\u${code}`;
  });
}

/** @throws Error that says where two JSON values differ first */
export function expectEqual(actual: unknown, expected: unknown, what: string): void {
  const difference = findDifference(actual, expected, "");
  if (difference === undefined) return;
  const { path, actual: found, expected: wanted } = difference;
  const place = path === "" ? "" : ` at ${testText(path)}`;
  throw new Error(`${testText(what)}${place}: expected ${shown(wanted)}, got ${shown(found)}`);
}

/** Compares the parts that an expectation names; only a call that it says has failed may have failed. */
export function expectParts(result: JsonObject, parts: JsonObject, what: string): void {
  const { isError = false, ...rest } = parts;
  expectEqual(result["isError"] ?? false, isError, `${what}: isError`);
  for (const [key, value] of Object.entries(rest)) {
    expectEqual(result[key], value, `${what}: ${key}`);
  }
}

/** @throws Error with a message made safe for a terminal */
export function expectThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(testText(message));
}

/** A value in a message. */
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
