import * as dates from "../../../templates/runtime/validators/dates.js";
import * as formats from "../../../templates/runtime/validators/formats.js";
import * as hostnames from "../../../templates/runtime/validators/hostnames.js";

/** A regular expression or a function that checks a format. */
type Check =
  | { readonly kind: "expression"; readonly expression: RegExp }
  | { readonly kind: "string"; readonly check: (value: string) => boolean }
  | { readonly kind: "number"; readonly check: (value: number) => boolean };

/** A format that is asserted, with the export of `templates/runtime/validators/` that checks it. */
export type FormatCheck = Check & { readonly exportName: string };

/** Known formats that allow every value. */
export const LENIENT_FORMATS: readonly string[] = ["float", "double", "password", "binary"];

/** The formats that are checked. Any other name is an annotation. */
export const FORMAT_CHECKS: ReadonlyMap<string, FormatCheck> = new Map<string, FormatCheck>([
  expression("duration", "formatDuration"),
  expression("email", "formatEmail"),
  expression("ipv4", "formatIpv4"),
  expression("ipv6", "formatIpv6"),
  expression("iri", "formatIri"),
  expression("iri-reference", "formatIriReference"),
  expression("uri", "formatUri"),
  expression("uri-reference", "formatUriReference"),
  expression("json-pointer", "formatJsonPointer"),
  expression("json-pointer-uri-fragment", "formatJsonPointerUriFragment"),
  expression("relative-json-pointer", "formatRelativeJsonPointer"),
  expression("byte", "formatByte"),
  expression("uri-template", "formatUriTemplate"),
  expression("url", "formatUrl"),
  expression("uuid", "formatUuid"),
  text("date", dates, "isDate"),
  text("date-time", dates, "isDateTime"),
  text("hostname", hostnames, "isHostname"),
  text("idn-email", hostnames, "isInternationalEmail"),
  text("idn-hostname", hostnames, "isInternationalHostname"),
  text("iso-date-time", dates, "isLocalDateTime"),
  text("iso-time", dates, "isLocalTime"),
  text("regex", formats, "isRegularExpression"),
  text("time", dates, "isTime"),
  number("int32", "isInt32"),
  number("int64", "isInt64"),
]);

export const CHECKED_FORMATS: ReadonlySet<string> = new Set(FORMAT_CHECKS.keys());

type Entry = readonly [format: string, check: FormatCheck];

/** The names of a module's exports that have a given type. */
type ExportOf<Module, Type> = {
  [Name in keyof Module]: Module[Name] extends Type ? Name : never;
}[keyof Module] &
  string;

type TextCheck = (value: string) => boolean;
type NumberCheck = (value: number) => boolean;

function expression(format: string, exportName: ExportOf<typeof formats, RegExp>): Entry {
  const check = { kind: "expression", expression: formats[exportName] } as const;
  return [format, { ...check, exportName }];
}

function text<Name extends string>(
  format: string,
  exports: Readonly<Record<Name, TextCheck>>,
  exportName: Name,
): Entry {
  return [format, { kind: "string", check: exports[exportName], exportName }];
}

function number(format: string, exportName: ExportOf<typeof formats, NumberCheck>): Entry {
  return [format, { kind: "number", check: formats[exportName], exportName }];
}

/** True if a value has a format, if the format is not checked, or if the format is for another type of value. */
export function hasFormat(value: unknown, format: string): boolean {
  const check = FORMAT_CHECKS.get(format);
  if (check === undefined) return true;
  if (check.kind === "number") return typeof value !== "number" || check.check(value);
  if (typeof value !== "string") return true;
  return check.kind === "string" ? check.check(value) : check.expression.test(value);
}
