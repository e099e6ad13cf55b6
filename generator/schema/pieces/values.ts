/**
 * What JSON Schema says of values: equality, length and multiples. Compiled validators call these functions, and
 * their text goes into the generated module; so they use nothing but their arguments and each other.
 */

/** Whether a value is what JSON Schema calls an object. */
export function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a text has more characters than so many; mostly, its length in code units tells. */
export function isLonger(text: string, most: number): boolean {
  if (text.length <= most) return false;
  return text.length > 2 * most || countCharacters(text) > most;
}

/** Whether a text has fewer characters than so many. */
export function isShorter(text: string, least: number): boolean {
  if (text.length >= 2 * least) return false;
  return text.length < least || countCharacters(text) < least;
}

/** The length that JSON Schema counts: code points, where a lone surrogate is one. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const isPair = (text.codePointAt(index) ?? 0) > 0xffff;
    if (isPair) index += 1;
    count += 1;
  }
  return count;
}

export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object") return false;
  if (left === null || right === null || Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every(
    (name) =>
      Object.hasOwn(right, name) &&
      isEqual((left as Record<string, unknown>)[name], (right as Record<string, unknown>)[name]),
  );
}

/** One text for all equal JSON values: names sorted, `-0` as `0`. */
export function canonicalText(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}:${canonicalText(item)}`,
  );
  return `{${members.sort().join()}}`;
}

/** The indexes of the first item that repeats an earlier one, and of that one. */
export function findDuplicate(
  items: readonly unknown[],
): { repeated: number; first: number } | undefined {
  const seen = new Map<string, number>();
  for (const [index, item] of items.entries()) {
    const text = canonicalText(item);
    const first = seen.get(text);
    if (first !== undefined) return { repeated: index, first };
    seen.set(text, index);
  }
  return undefined;
}

/** Splits a number into whole digits and a power of ten. */
export function decimalParts(value: number): { digits: bigint; exponent: number } {
  const [mantissa = "", power = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** Counts in decimal, as the numbers are written: 19.99 is a multiple of 0.01. */
export function isMultipleOf(value: number, divisor: number): boolean {
  if (value % divisor === 0) return true;
  if (!Number.isFinite(value)) return false;
  if (Number.isInteger(value) && Number.isInteger(divisor)) return false;
  const left = decimalParts(value);
  const right = decimalParts(divisor);
  const exponent = Math.min(left.exponent, right.exponent);
  const scaled = left.digits * 10n ** BigInt(left.exponent - exponent);
  return scaled % (right.digits * 10n ** BigInt(right.exponent - exponent)) === 0n;
}
