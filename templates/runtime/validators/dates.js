/** Formats of dates and times. */

/**
 * @param {string} text
 */
export function isDate(text) {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const year = Number(text.slice(0, 4));
  const month = Number(text.slice(5, 7));
  const day = Number(text.slice(8));
  if (month < 1 || month > 12 || day < 1) return false;
  if (month === 2) {
    const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
    return day <= (isLeapYear ? 29 : 28);
  }
  const isShort = month === 4 || month === 6 || month === 9 || month === 11;
  return day <= (isShort ? 30 : 31);
}

/**
 * A time of day, with or without an offset.
 *
 * @param {string} text
 */
export function isLocalTime(text) {
  const shape =
    /^(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?$/i;
  return shape.test(text) && (text.slice(6, 8) !== "60" || isLastMinute(text));
}

/**
 * Whether a time is in the last minute of a day in UTC, the only one that can have a leap second.
 *
 * @param {string} text
 */
function isLastMinute(text) {
  const [, sign, zoneHour = 0, zoneMinute = 0] = /([+-])(\d\d):?(\d\d)?$/.exec(text) ?? [];
  const offset = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === "-" ? -1 : 1);
  const minute = Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5));
  return (minute - offset + 2880) % 1440 === 1439;
}

/**
 * @param {string} text
 */
export function isTime(text) {
  return /(?:z|[+-]\d\d:\d\d)$/i.test(text) && isLocalTime(text);
}

/**
 * @param {string} text
 */
export function isDateTime(text) {
  return isDate(text.slice(0, 10)) && /[t\s]/i.test(text.charAt(10)) && isTime(text.slice(11));
}

/**
 * @param {string} text
 */
export function isLocalDateTime(text) {
  return isDate(text.slice(0, 10)) && /[t\s]/i.test(text.charAt(10)) && isLocalTime(text.slice(11));
}
