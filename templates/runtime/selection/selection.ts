import { isDeepStrictEqual } from "node:util";
import { ToolError } from "../engine/errors.js";
import { isObject } from "../engine/request-parameters.js";
import { exactJson, withDigitStrings, withRoundedNumbers } from "../backends/exact-json.js";

/*
 * The steps of a selection, which bodies take on the answer of another service. They are those of JMESPath
 * (https://jmespath.org/specification.html): what is not there is null, and so is each member of it.
 */

/** An answer does not have the types that a function of its selection needs. The operation was carried out. */
export class SelectionError extends ToolError {
  /** @param problem for example "length() needs a list and got nothing" */
  constructor(problem: string) {
    super(
      `The call was carried out and needs no repetition, but its answer is not as expected: ${problem}.`,
    );
  }
}

/** A function of a selection: what it makes of a value. */
export type Select = (value: unknown) => unknown;

/**
 * The member of an object, or with several names the member of a member. Null where there is none.
 *
 * @param names the names from the outside to the inside
 */
export function at(value: unknown, ...names: readonly string[]): unknown {
  let found = value;
  for (const name of names) {
    found = isObject(found) && Object.hasOwn(found, name) ? found[name] : null;
  }
  return found ?? null;
}

/** An item of a list; null where there is none. @param index counted from the end if it is negative */
export function nth(list: unknown, index: number): unknown {
  return Array.isArray(list) ? (list.at(index) ?? null) : null;
}

/** Some items of a list, as `list[start:stop:step]`; null of what is no list. */
export function slice(list: unknown, start: number | null, stop: number | null, step = 1): unknown {
  if (!Array.isArray(list)) return null;
  const { length } = list;
  const [lowest, highest] = step > 0 ? [0, length] : [-1, length - 1];
  const bound = (index: number | null, absent: number): number => {
    if (index === null) return absent;
    return Math.min(Math.max(index < 0 ? index + length : index, lowest), highest);
  };
  const first = bound(start, step > 0 ? lowest : highest);
  const last = bound(stop, step > 0 ? highest : lowest);
  const items: unknown[] = [];
  for (let index = first; step > 0 ? index < last : index > last; index += step) {
    items.push(list[index]);
  }
  return items;
}

/** The list of what is made of each item that is not null, without nulls; null of what is no list. */
export function each(list: unknown, select: Select): unknown {
  if (!Array.isArray(list)) return null;
  return list
    .filter(isPresent)
    .map((one) => select(one))
    .filter(isPresent);
}

/** The items for which a test holds; null of what is no list. */
export function where(list: unknown, test: Select): unknown {
  return Array.isArray(list) ? list.filter((one) => holds(test(one))) : null;
}

/** The list with the items of the lists in it instead of these lists; null of what is no list. */
export function flat(list: unknown): unknown {
  return Array.isArray(list) ? list.flat().filter(isPresent) : null;
}

/** The values of the members of an object; null of what is no object. */
export function members(value: unknown): unknown {
  return isObject(value) ? Object.values(value) : null;
}

/** What is made of a value that is there; null for null. */
export function present(value: unknown, select: Select): unknown {
  return isPresent(value) ? select(value) : null;
}

/** The result of a selection from a value; an absent value counts as null. */
export function from(value: unknown, select: Select): unknown {
  return select(value ?? null);
}

/** True if a value counts as true: all but null, false, and texts, lists and objects without anything in them. */
export function holds(value: unknown): boolean {
  if (value === null || value === undefined || value === false || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isObject(value) || Object.keys(value).length > 0;
}

/** The first value if it counts as true, and otherwise the other one. */
export function either(value: unknown, other: () => unknown): unknown {
  return holds(value) ? value : other();
}

/** The other value if the first one counts as true, and otherwise the first one. */
export function both(value: unknown, other: () => unknown): unknown {
  return holds(value) ? other() : value;
}

/** True if two values are the same JSON. */
export function equal(left: unknown, right: unknown): boolean {
  // Long integers are texts here, of which only equal ones have the same digits.
  if (typeof left === "string" && typeof right === "string") return left === right;
  const [one, other] = [withRoundedNumbers(left), withRoundedNumbers(right)];
  return one === other || isDeepStrictEqual(one, other);
}

/** Compares two numbers; null if one of the values is no number. */
export function compare(
  left: unknown,
  operator: "<" | "<=" | ">" | ">=",
  right: unknown,
): boolean | null {
  const [one, other] = [withRoundedNumbers(left), withRoundedNumbers(right)];
  if (typeof one !== "number" || typeof other !== "number") return null;
  if (operator === "<") return one < other;
  if (operator === "<=") return one <= other;
  return operator === ">" ? one > other : one >= other;
}

/** The number of items of a list, of members of an object, or of characters of a text. @throws SelectionError else */
export function count(value: unknown): number {
  if (isText(value)) return [...value].length;
  if (Array.isArray(value)) return value.length;
  if (isObject(value)) return Object.keys(value).length;
  return wrongType("length", value, "a list, an object or a text");
}

/** The texts of a list as one text. @throws SelectionError if it is no list of texts */
export function join(separator: unknown, list: unknown): string {
  if (!isText(separator)) return wrongType("join", separator, "a text as its first argument");
  if (!Array.isArray(list)) return wrongType("join", list, "a list of texts");
  const wrong = list.find((one) => !isText(one));
  if (wrong !== undefined) return wrongType("join", wrong, "a list of texts");
  return list.join(separator);
}

/** The names of the members of an object. @throws SelectionError if it is none */
export function keys(value: unknown): string[] {
  return isObject(value) ? Object.keys(value) : wrongType("keys", value, "an object");
}

/** The values of the members of an object. @throws SelectionError if it is none */
export function values(value: unknown): unknown[] {
  return isObject(value) ? Object.values(value) : wrongType("values", value, "an object");
}

/** The first value that is not null; null if there is none. */
export function notNull(...candidates: readonly unknown[]): unknown {
  return candidates.find(isPresent) ?? null;
}

/** True if a list has an item, or a text a part. @throws SelectionError if it is neither */
export function contains(subject: unknown, searched: unknown): boolean {
  if (Array.isArray(subject)) return subject.some((one) => equal(one, searched));
  if (!isText(subject)) return wrongType("contains", subject, "a list or a text");
  return isText(searched) && subject.includes(searched);
}

/** True if a text begins so. @throws SelectionError if one of them is no text */
export function startsWith(subject: unknown, start: unknown): boolean {
  if (!isText(subject)) return wrongType("starts_with", subject, "a text");
  return isText(start) ? subject.startsWith(start) : wrongType("starts_with", start, "a text");
}

/** True if a text ends so. @throws SelectionError if one of them is no text */
export function endsWith(subject: unknown, end: unknown): boolean {
  if (!isText(subject)) return wrongType("ends_with", subject, "a text");
  return isText(end) ? subject.endsWith(end) : wrongType("ends_with", end, "a text");
}

/** The sum of the numbers of a list. @throws SelectionError if it is no list of numbers */
export function sum(list: unknown): number {
  const numbers = withRoundedNumbers(list);
  if (!Array.isArray(numbers)) return wrongType("sum", numbers, "a list of numbers");
  const wrong = numbers.findIndex((one) => typeof one !== "number");
  if (wrong >= 0) return wrongType("sum", numbers[wrong], "a list of numbers");
  return (numbers as number[]).reduce((total, one) => total + one, 0);
}

/** A value as text: a text as it is, and another value as JSON. */
export function asText(value: unknown): string {
  return isText(value) ? value : exactText(value);
}

function exactText(value: unknown): string {
  const digits = withDigitStrings(value);
  return typeof value === "string" ? String(digits) : exactJson(value ?? null);
}

/** True for a text. An integer that JavaScript would round is marked by a text, and is none. */
function isText(value: unknown): value is string {
  return typeof value === "string" && typeof withRoundedNumbers(value) === "string";
}

function isPresent(value: unknown): boolean {
  return value !== null && value !== undefined;
}

function wrongType(name: string, value: unknown, wanted: string): never {
  const rounded = withRoundedNumbers(value);
  const type = Array.isArray(rounded)
    ? "a list"
    : isPresent(rounded)
      ? typeofInWords(rounded)
      : "nothing";
  throw new SelectionError(`${name}() needs ${wanted} and got ${type}`);
}

function typeofInWords(value: unknown): string {
  if (typeof value === "string") return "a text";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
