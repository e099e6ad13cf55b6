/** Checks of values for which an expression is not enough: equality, and decimal multiples. */

/**
 * Whether two JSON values are equal. The order of members does not matter.
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
 * A text that is the same for all equal JSON values, with sorted names and `0` for `-0`.
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
 * The indexes of the first item that equals an earlier one, and of that one. It takes linear time.
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
 * Whether a number is a multiple of another in decimal notation: 19.99 is a multiple of 0.01.
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
 * Splits a number into an integer and a power of ten.
 *
 * @param {number} value
 */
function decimalParts(value) {
  const [mantissa = "", power = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
