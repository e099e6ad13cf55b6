import { FORMAT_EXPRESSIONS } from "./expressions.js";
import {
  isDate,
  isDateTime,
  isHostname,
  isInt32,
  isInt64,
  isInternationalEmail,
  isInternationalHostname,
  isLocalDateTime,
  isLocalTime,
  isRegularExpression,
  isTime,
} from "./pieces.js";

/** How a format is checked: by a regular expression, or by one of the pieces. */
export type FormatCheck =
  | { readonly kind: "expression"; readonly expression: RegExp }
  | { readonly kind: "string"; readonly check: (value: string) => boolean }
  | { readonly kind: "number"; readonly check: (value: number) => boolean };

/** Formats that are known, and allow every value. */
export const LENIENT_FORMATS: readonly string[] = ["float", "double", "password", "binary"];

/** Formats that are asserted. Any other name is an annotation. */
export const FORMAT_CHECKS: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ...Object.entries(FORMAT_EXPRESSIONS).map(
    ([name, expression]) => [name, { kind: "expression", expression }] as const,
  ),
  ["date", { kind: "string", check: isDate }],
  ["date-time", { kind: "string", check: isDateTime }],
  ["hostname", { kind: "string", check: isHostname }],
  ["idn-email", { kind: "string", check: isInternationalEmail }],
  ["idn-hostname", { kind: "string", check: isInternationalHostname }],
  ["iso-date-time", { kind: "string", check: isLocalDateTime }],
  ["iso-time", { kind: "string", check: isLocalTime }],
  ["regex", { kind: "string", check: isRegularExpression }],
  ["time", { kind: "string", check: isTime }],
  ["int32", { kind: "number", check: isInt32 }],
  ["int64", { kind: "number", check: isInt64 }],
]);

export const CHECKED_FORMATS: ReadonlySet<string> = new Set(FORMAT_CHECKS.keys());

/** The regular expression that checks a format. */
export function formatExpression(format: string): RegExp {
  const check = FORMAT_CHECKS.get(format);
  if (check?.kind !== "expression") throw new Error(`no regular expression checks ${format}`);
  return check.expression;
}

/** Whether a value has a format; one of another type has every format, as does any value one that is not checked. */
export function hasFormat(value: unknown, format: string): boolean {
  const check = FORMAT_CHECKS.get(format);
  if (check === undefined) return true;
  if (check.kind === "number") return typeof value !== "number" || check.check(value);
  if (typeof value !== "string") return true;
  return check.kind === "string" ? check.check(value) : check.expression.test(value);
}
