import { textOf } from "../backends/text-of.js";

/** The ways in which OpenAPI writes lists and objects in paths and queries. */
export interface Style {
  /** By default `simple` in a path, `form` in a query. */
  readonly style?: PathStyle | QueryStyle;
  /** Whether each entry stands for itself; by default it does in a query of the style `form`. */
  readonly explode?: boolean;
  /** Whether reserved characters stand in a query as they are, but for those that end a value. */
  readonly allowReserved?: boolean;
  /** The name of a value in a path of the style `matrix`. */
  readonly name?: string;
}

export type PathStyle = "simple" | "label" | "matrix";
/** `json` writes a value as one text of JSON, the others as OpenAPI says. */
export type QueryStyle = "form" | "spaceDelimited" | "pipeDelimited" | "deepObject" | "json";

/** A value and the style that it is written in. Made by {@link styled}. */
export class StyledValue {
  readonly value: unknown;
  readonly style: Style;

  constructor(value: unknown, style: Style) {
    this.value = value;
    this.style = style;
  }
}

/** A value of a path or a query that is written in one of OpenAPI's styles. */
export function styled(value: unknown, style: Style): StyledValue {
  return new StyledValue(value, style);
}

type Entries = readonly (readonly [name: string, value: unknown])[];

/** The values that are neither lists nor objects, by their places: `a[b][0]`. */
function leavesOf(name: string, value: unknown): Entries {
  const entries = Array.isArray(value) ? Object.entries(value as unknown[]) : membersOf(value);
  if (entries === undefined) return [[name, value]];
  return entries.flatMap(([member, item]) => leavesOf(`${name}[${member}]`, item));
}

/** The members of an object that have a value; undefined for what is no object. */
function membersOf(value: unknown): Entries | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

/** A value of a path in its style, each part of it encoded. */
export function pathText(value: unknown): string {
  const { value: unstyled, style } =
    value instanceof StyledValue ? value : new StyledValue(value, { style: "simple" });
  const { explode = false, name = "" } = style;
  const parts = (glue: string): string => encodedParts(unstyled, explode).join(glue);
  switch (style.style) {
    case "label":
      return `.${parts(explode ? "." : ",")}`;
    case "matrix":
      return matrixText(unstyled, explode, encode(name));
    default:
      return parts(",");
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

/** The parts of a query for a value, without `&`; none where it is absent. */
export function queryParts(name: string, value: unknown): string[] {
  const { value: unstyled, style } =
    value instanceof StyledValue ? value : new StyledValue(value, { style: "form" });
  if (unstyled === undefined || unstyled === null) return [];
  const write = style.allowReserved === true ? encodeAllButReserved : encode;
  const pair = (key: string, text: string): string => `${key}=${text}`;
  const key = encode(name);
  if (style.style === "json") return [pair(key, write(JSON.stringify(unstyled)))];
  if (style.style === "deepObject") {
    return leavesOf(name, unstyled).map(([place, leaf]) =>
      pair(encode(place), write(textOf(leaf))),
    );
  }
  const members = membersOf(unstyled);
  const { style: kind = "form" } = style;
  const explode = style.explode ?? kind === "form";
  if (members !== undefined && explode) {
    return members.map(([member, item]) => pair(encode(member), write(textOf(item))));
  }
  const entries =
    members?.flat() ?? (Array.isArray(unstyled) ? (unstyled as unknown[]) : undefined);
  if (entries === undefined) return [pair(key, write(textOf(unstyled)))];
  const texts = entries.map((entry) => write(textOf(entry)));
  if (explode) return texts.map((text) => pair(key, text));
  return texts.length === 0 ? [] : [pair(key, texts.join(DELIMITERS[kind] ?? ","))];
}

const DELIMITERS: Readonly<Partial<Record<PathStyle | QueryStyle, string>>> = {
  spaceDelimited: "%20",
  pipeDelimited: "%7C",
};

/** Percent-encoded, so that no character of it means anything. @throws URIError for half a character */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The same, but for reserved characters; those that would end the value, and `+`, are always encoded. */
function encodeAllButReserved(text: string): string {
  return encode(text).replace(
    /%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B|5B|5D)/g,
    decodeURIComponent,
  );
}
