/** Checks of values that need more than an expression: equality, and multiples in decimal. */

/**
 * Whether two JSON values are equal, whatever the order of their members.
 *
 * @param {unknown} left
 * @param {unknown} right
 * @returns {boolean}
 */
export function isEqual(left, right) {
  if (left === right) return true;
  if (typeof left !== "object" || typeof right !== "object") return false;
  if (left === null || right === null || Array.isArray(left) !== Array.isArray(right)) return false;
  const [a, b] = /** @type {Record<string, unknown>[]} */ ([left, right]);
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && isEqual(a?.[name], b?.[name]));
}

/**
 * One text for all equal JSON values: names sorted, `-0` as `0`.
 *
 * @param {unknown} value
 * @returns {string}
 */
export function canonicalText(value) {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join()}]`;
  const members = Object.entries(value).map(
    ([name, item]) => `${JSON.stringify(name)}:${canonicalText(item)}`,
  );
  return `{${members.sort().join()}}`;
}

/**
 * The indexes of the first item that repeats an earlier one, and of that one. The time grows with the size
 * of the list, and not with its square.
 *
 * @param {readonly unknown[]} items
 */
export function findDuplicate(items) {
  const seen = new Map();
  for (const [index, item] of items.entries()) {
    const text = canonicalText(item);
    /** @type {number | undefined} */
    const first = seen.get(text);
    if (first !== undefined) return { repeated: index, first };
    seen.set(text, index);
  }
  return undefined;
}

/**
 * Whether a number is a multiple of another, counted in decimal, as they are written: 19.99 is one of 0.01.
 *
 * @param {number} value
 * @param {number} divisor
 */
export function isMultipleOf(value, divisor) {
  if (value % divisor === 0) return true;
  if (!Number.isFinite(value)) return false;
  if (Number.isInteger(value) && Number.isInteger(divisor)) return false;
  const left = decimalParts(value);
  const right = decimalParts(divisor);
  const exponent = Math.min(left.exponent, right.exponent);
  const scaled = left.digits * 10n ** BigInt(left.exponent - exponent);
  return scaled % (right.digits * 10n ** BigInt(right.exponent - exponent)) === 0n;
}

/**
 * Splits a number into whole digits and a power of ten.
 *
 * @param {number} value
 */
function decimalParts(value) {
  const [mantissa = "", power = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
