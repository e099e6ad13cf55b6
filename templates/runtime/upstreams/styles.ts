import { textOf } from "../engine/content.js";

/** How a value is written in a path or a query, in the terms of OpenAPI. */
export interface Style {
  /** By default `simple` in a path and `form` in a query. */
  readonly style?: PathStyle | QueryStyle;
  /** Whether each item of a list or member of an object is a parameter; true by default for `form` in a query. */
  readonly explode?: boolean;
  /** Whether reserved characters in a query are not encoded, except for those that end a value. */
  readonly allowReserved?: boolean;
  /** The name of the value; only the style `matrix` needs it. */
  readonly name?: string;
}

export type PathStyle = "simple" | "label" | "matrix";
/** The styles of OpenAPI, and `json`, which writes a value as JSON. */
export type QueryStyle = "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";

/** A value and its style. {@link styled} creates it. */
export class StyledValue {
  readonly value: unknown;
  readonly style: Style;

  constructor(value: unknown, style: Style) {
    this.value = value;
    this.style = style;
  }
}

/** Says how a value is written in a path or a query: in a style of OpenAPI, other than that of all values. */
export function styled(value: unknown, style: Style): StyledValue {
  return new StyledValue(value, style);
}

type Entries = readonly (readonly [name: string, value: unknown])[];

/** The values within a value that are neither lists nor objects, by names such as `a[b][0]`. */
function leavesOf(name: string, value: unknown): Entries {
  const entries = Array.isArray(value) ? Object.entries(value as unknown[]) : membersOf(value);
  if (entries === undefined) return [[name, value]];
  return entries.flatMap(([member, item]) => leavesOf(`${name}[${member}]`, item));
}

/** The members of an object that are not undefined; undefined if the value is no object. */
function membersOf(value: unknown): Entries | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/** A value of a path, encoded and in its style; `simple` by default. @throws URIError as {@link encode} */
export function pathText(value: unknown): string {
  const { value: unstyled, style } =
    value instanceof StyledValue ? value : new StyledValue(value, { style: "simple" });
  const { explode = false, name = "" } = style;
  const joinedParts = (delimiter: string): string =>
    encodedParts(unstyled, explode).join(delimiter);
  switch (style.style) {
    case "label":
      return `.${joinedParts(explode ? "." : ",")}`;
    case "matrix":
      return matrixText(unstyled, explode, encode(name));
    default:
      return joinedParts(",");
  }
}

function matrixText(value: unknown, explode: boolean, name: string): string {
  const parts = encodedParts(value, explode);
  if (!explode) return `;${name}=${parts.join(",")}`;
  const isObject = membersOf(value) !== undefined;
  return parts.map((part) => (isObject ? `;${part}` : `;${name}=${part}`)).join("");
}

function encodedParts(value: unknown, explode: boolean): string[] {
  if (Array.isArray(value)) return value.map((item) => encode(textOf(item)));
  const members = membersOf(value);
  if (members === undefined) return [encode(textOf(value))];
  return members.flatMap(([name, member]) => {
    const [key, text] = [encode(name), encode(textOf(member))];
    return explode ? [`${key}=${text}`] : [key, text];
  });
}

/** The encoded `name=value` pairs of a query for a value; none if it is absent. @throws URIError as {@link encode} */
export function queryParts(name: string, value: unknown): string[] {
  const { value: unstyled, style } =
    value instanceof StyledValue ? value : new StyledValue(value, { style: "form" });
  if (unstyled === undefined || unstyled === null) return [];
  const encodeValue = style.allowReserved === true ? encodeAllButReserved : encode;
  const pair = (key: string, text: string): string => `${key}=${text}`;
  const key = encode(name);
  if (style.style === "json") return [pair(key, encodeValue(JSON.stringify(unstyled)))];
  if (style.style === "deepObject") {
    return leavesOf(name, unstyled).map(([leafName, leaf]) =>
      pair(encode(leafName), encodeValue(textOf(leaf))),
    );
  }
  const members = membersOf(unstyled);
  const { style: queryStyle = "form" } = style;
  const explode = style.explode ?? queryStyle === "form";
  if (members !== undefined && explode) {
    return members.map(([member, item]) => pair(encode(member), encodeValue(textOf(item))));
  }
  const entries =
    members?.flat() ?? (Array.isArray(unstyled) ? (unstyled as unknown[]) : undefined);
  if (entries === undefined) return [pair(key, encodeValue(textOf(unstyled)))];
  const texts = entries.map((entry) => encodeValue(textOf(entry)));
  if (explode) return texts.map((text) => pair(key, text));
  return texts.length === 0 ? [] : [pair(key, texts.join(DELIMITERS[queryStyle] ?? ","))];
}

const DELIMITERS: Readonly<Partial<Record<PathStyle | QueryStyle, string>>> = {
  spaceDelimited: "%20",
  pipeDelimited: "%7C",
};

/** Percent-encodes all but letters, digits, `-`, `.`, `_` and `~`. @throws URIError for an unpaired surrogate */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Like {@link encode}, but keeps reserved characters other than `#`, `&`, `=` and `+`. */
function encodeAllButReserved(text: string): string {
  return encode(text).replace(
    /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B|5B|5D)/g,
    decodeURIComponent,
  );
}
