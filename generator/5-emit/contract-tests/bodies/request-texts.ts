import { isJsonObject, type JsonValue } from "../../../model/json.js";
import { valueText } from "./expected-value.js";

/**
 * What values become in paths, queries and forms, by the tables of OpenAPI and RFC 3986. The runtime has these rules
 * too. They are written a second time, so that no test judges the runtime by its own code.
 */

/** A style of OpenAPI, or `json`. */
export interface ExpectedStyle {
  readonly style?: string;
  readonly explode?: boolean;
  readonly allowReserved?: boolean;
  readonly name?: string;
}

type Value = JsonValue | undefined;
type Encoding = (text: string) => string;

/** Percent-encodes all but the unreserved characters of RFC 3986, and those in `kept`. */
function encoded(text: string, kept = ""): string {
  const octets = [...Buffer.from(text)].map((octet) => {
    const character = String.fromCharCode(octet);
    const isKept = /[\w.~-]/.test(character) || (octet < 0x80 && kept.includes(character));
    return isKept ? character : `%${octet.toString(16).toUpperCase().padStart(2, "0")}`;
  });
  return octets.join("");
}

/** Reserved characters that end no value of a query. */
const RESERVED_IN_QUERY = ":/?@!$'()*,;[]";

const text = (value: Value): string =>
  value === undefined || value === null ? "" : valueText(value);

/** A value in a path. By default, its style is `simple`. */
export function pathText(
  value: Value,
  { style, explode = false, name = "" }: ExpectedStyle,
): string {
  const members = isJsonObject(value) ? Object.entries(value) : undefined;
  const parts = members
    ? members.flatMap(([key, member]) => {
        const pair = [encoded(key), encoded(text(member))];
        return explode ? [pair.join("=")] : pair;
      })
    : [value].flat().map((item) => encoded(text(item)));
  if (style === "label") return `.${parts.join(explode ? "." : ",")}`;
  if (style !== "matrix") return parts.join(",");
  const key = encoded(name);
  if (!explode) return `;${key}=${parts.join(",")}`;
  return parts.map((part) => (members ? `;${part}` : `;${key}=${part}`)).join("");
}

/** A value in a query or a form as pairs `name=value`. By default, its style is `form`; nothing has no pair. */
export function queryTexts(name: string, value: Value, style: ExpectedStyle = {}): string[] {
  const encodeValue: Encoding = (given) =>
    encoded(given, style.allowReserved === true ? RESERVED_IN_QUERY : "");
  return fieldsOf(name, value, style, encodeValue).map(
    ([field, content]) => `${encoded(field)}=${content}`,
  );
}

/** The names and contents of the fields for a value. @param encode encodes each part of a content */
function fieldsOf(
  name: string,
  value: Value,
  { style = "form", explode = style === "form" }: ExpectedStyle,
  encode: Encoding,
): [name: string, content: string][] {
  if (value === undefined || value === null) return [];
  const one = (item: Value): string => encode(text(item));
  if (style === "json") return [[name, encode(JSON.stringify(value))]];
  if (style === "deepObject") {
    return leaves(name, value).map(([leaf, content]) => [leaf, one(content)]);
  }
  if (typeof value !== "object") return [[name, one(value)]];
  if (explode) {
    return Array.isArray(value)
      ? value.map((item) => [name, one(item)])
      : Object.entries(value).map(([key, member]) => [key, one(member)]);
  }
  const items = Array.isArray(value) ? value : Object.entries(value).flat();
  const delimiter = { spaceDelimited: encode(" "), pipeDelimited: encode("|") }[style] ?? ",";
  return items.length === 0 ? [] : [[name, items.map(one).join(delimiter)]];
}

/** The values within lists and objects, by names such as `filter[tags][0]`. */
function leaves(name: string, value: JsonValue): [name: string, value: JsonValue][] {
  if (typeof value !== "object" || value === null) return [[name, value]];
  return Object.entries(value).flatMap(([key, member]) => leaves(`${name}[${key}]`, member));
}

/** The boundary of forms in contracts: tests put it in the place of the boundary that they receive. */
export const BOUNDARY = "boundary";

/** A form as `multipart/form-data`. Items of lists are parts, and objects are JSON. */
export function multipartText(
  entries: readonly (readonly [name: string, value: Value, style: ExpectedStyle | undefined])[],
): string {
  const parts = entries.flatMap(([name, value, style]) => {
    const items = style === undefined && Array.isArray(value) ? value : [value];
    return items.flatMap((item) => partsOf(name, item, style));
  });
  return `${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join("")}--${BOUNDARY}--\r\n`;
}

function partsOf(name: string, value: Value, given: ExpectedStyle | undefined): string[] {
  const style = given ?? (typeof value === "object" ? { style: "json" } : {});
  const type = style.style === "json" ? "\r\nContent-Type: application/json" : "";
  return fieldsOf(name, value, style, String).map(([field, content]) => {
    const quoted = field.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
    return `Content-Disposition: form-data; name="${quoted}"${type}\r\n\r\n${content}`;
  });
}
