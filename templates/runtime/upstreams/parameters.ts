import { ToolError } from "../engine/errors.js";
import { textOf } from "../engine/content.js";
import { encode, queryParts } from "./styles.js";
import { RESERVED_HEADERS } from "./reserved-headers.js";

/** Values by their names. Undefined and null values are left out. */
export type Values = Readonly<Record<string, unknown>>;

/** The encoded query of these values, without a question mark. @throws ToolError for an unpaired surrogate */
export function queryText(values: Values): string {
  try {
    return Object.entries(values)
      .flatMap(([name, value]) => queryParts(name, value))
      .join("&");
  } catch {
    throw new ToolError("A value of the query is no well-formed text.");
  }
}

/** The body of a form with these values. @throws ToolError for an unpaired surrogate */
export function formText(values: Values): string {
  return queryText(values).replaceAll("%20", "+");
}

/**
 * The headers of these values, by their names in lower case.
 *
 * @throws ToolError for a value that no header can hold
 * @throws Error for a header that only the connection may set
 */
export function headersOf(values: Values): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    const key = name.toLowerCase();
    if (RESERVED_HEADERS.test(key)) throw new Error(`the header ${key} cannot be set`);
    headers[key] = headerText(
      name,
      Array.isArray(value) ? value.map(textOf).join(",") : textOf(value),
    );
  }
  return headers;
}

/** Whether a text has only characters of Latin-1, and no control characters. */
export function isHeaderText(text: string): boolean {
  return /^[\u0020-\u007e\u00a0-\u00ff]*$/.test(text);
}

function headerText(name: string, text: string): string {
  if (!isHeaderText(text)) {
    throw new ToolError(`The value of the header ${name} has a character that no header can hold.`);
  }
  return text;
}

/** The value of the header `cookie` for these values; undefined if there are none. @throws ToolError */
export function cookieText(values: Values): string | undefined {
  const cookies = Object.entries(values).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  if (cookies.length === 0) return undefined;
  try {
    return cookies.map(([name, value]) => `${name}=${encode(textOf(value))}`).join("; ");
  } catch {
    throw new ToolError("A value of a cookie is no well-formed text.");
  }
}
