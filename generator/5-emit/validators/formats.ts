import ajvFormats from "ajv-formats";
import type { FormatName } from "ajv-formats";
import {
  isDate,
  isDateTime,
  isInt32,
  isInt64,
  isLocalDateTime,
  isLocalTime,
  isRegularExpression,
  isTime,
  isUri,
} from "./runtime-pieces.js";

/** How a format is checked: by a regular expression, or by one of the runtime pieces. */
export type FormatCheck =
  | { readonly kind: "expression"; readonly expression: RegExp }
  | { readonly kind: "string"; readonly check: (value: string) => boolean }
  | { readonly kind: "number"; readonly check: (value: number) => boolean };

const EXPRESSION_FORMATS: readonly FormatName[] = [
  "duration",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "json-pointer",
  "json-pointer-uri-fragment",
  "relative-json-pointer",
  "uri-reference",
  "uri-template",
  "url",
  "uuid",
];

/** The formats of ajv-formats in its full mode. Any other name is an annotation, as are those that allow everything. */
export const FORMAT_CHECKS: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  ...EXPRESSION_FORMATS.map(
    (name) => [name, { kind: "expression", expression: expressionOf(name) }] as const,
  ),
  // Where ajv-formats lets base64 be followed by lines of anything, these do not.
  [
    "byte",
    { kind: "expression", expression: /^(?:[a-z0-9+/]{4})*(?:[a-z0-9+/]{2}==|[a-z0-9+/]{3}=)?$/i },
  ],
  ["date", { kind: "string", check: isDate }],
  ["date-time", { kind: "string", check: isDateTime }],
  ["iso-date-time", { kind: "string", check: isLocalDateTime }],
  ["iso-time", { kind: "string", check: isLocalTime }],
  ["regex", { kind: "string", check: isRegularExpression }],
  ["time", { kind: "string", check: isTime }],
  ["uri", { kind: "string", check: isUri }],
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

function expressionOf(name: FormatName): RegExp {
  const format = ajvFormats.default.get(name);
  if (!(format instanceof RegExp)) throw new Error(`ajv-formats checks ${name} by other means`);
  // The password's optional group makes `url` quadratic and allows nothing that the name does not.
  return new RegExp(format.source.replace("\\S+(?::\\S*)?@", "\\S+@"), format.flags);
}
