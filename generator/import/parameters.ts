import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  entriesOf,
  followed,
  followedObject,
  NotImportable,
  textIn,
  type ApiDocument,
  type Located,
} from "./api-document.js";
import { isJsonType } from "./media-types.js";
import type { Operation } from "./operations.js";

/** How lists and objects are written in a query or a form. */
export interface ParameterStyle {
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
}

export type ParameterPlace = "path" | "query" | "header" | "cookie" | "body" | "formData";

/** A parameter, as OpenAPI 3 says it. */
export interface Parameter extends ParameterStyle {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly isRequired: boolean;
  readonly description?: string;
  readonly schema: Located;
  /** What an `http` body has no word for. */
  readonly unsayable?: string;
  readonly at: Located<JsonObject>;
}

const PLACES: ReadonlySet<string> = new Set([
  "path",
  "query",
  "header",
  "cookie",
  "body",
  "formData",
]);

/** The parameters of an operation: its own, and those of its path that it does not say itself. */
export function parametersOf(document: ApiDocument, operation: Operation): Parameter[] {
  const own = listed(document, { value: operation.value, path: operation.path });
  const shared = listed(document, operation.pathItem);
  const byKey = new Map([...shared, ...own].map((one) => [`${one.in} ${one.name}`, one]));
  return [...byKey.values()];
}

function listed(document: ApiDocument, holder: Located<JsonObject>): Parameter[] {
  const list = ownValue(holder.value, "parameters") ?? [];
  const path = [...holder.path, "parameters"];
  if (!Array.isArray(list)) throw new NotImportable("has parameters that are no list", path);
  return list.map((value, index) =>
    parameterFrom(document, followedObject(document, { value, path: [...path, index] })),
  );
}

function parameterFrom(document: ApiDocument, at: Located<JsonObject>): Parameter {
  const name = ownValue(at.value, "name");
  const place = ownValue(at.value, "in");
  if (typeof name !== "string" || typeof place !== "string" || !PLACES.has(place)) {
    throw new NotImportable("has a parameter without a name or a place", at.path);
  }
  const description = textIn(at.value, "description");
  const common = {
    name,
    in: place as ParameterPlace,
    isRequired: place === "path" || ownValue(at.value, "required") === true,
    ...(description !== undefined && { description }),
    at,
  };
  return document.version === "2.0"
    ? { ...common, ...formOfTwo(at) }
    : { ...common, ...formOfThree(document, at, common.in) };
}

type Form = ParameterStyle & Pick<Parameter, "schema" | "unsayable">;

/** Of OpenAPI 2.0, a parameter is its own schema, but for the one in the body. */
function formOfTwo(at: Located<JsonObject>): Form {
  const place = ownValue(at.value, "in");
  if (place === "body") {
    const schema = { value: ownValue(at.value, "schema") ?? true, path: [...at.path, "schema"] };
    return { schema, style: "simple", explode: false, allowReserved: false };
  }
  const isList = ownValue(at.value, "type") === "array";
  const format = isList ? (ownValue(at.value, "collectionFormat") ?? "csv") : "csv";
  const byFormat: Record<string, string> = { ssv: "spaceDelimited", pipes: "pipeDelimited" };
  const usual = place === "path" || place === "header" ? "simple" : "form";
  return {
    schema: at,
    style: byFormat[String(format)] ?? usual,
    explode: !isList || format === "multi",
    allowReserved: false,
    ...(format === "tsv" && { unsayable: "is written with tabs" }),
  };
}

function formOfThree(document: ApiDocument, at: Located<JsonObject>, place: ParameterPlace): Form {
  const [content] = entriesOf(ownValue(at.value, "content"));
  const usual = place === "query" || place === "cookie" ? "form" : "simple";
  if (content !== undefined) return formOfContent(document, content, at, place, usual);
  const schema = { value: ownValue(at.value, "schema") ?? {}, path: [...at.path, "schema"] };
  return { schema, ...styleIn(at.value, usual) };
}

/** A parameter that is one text of a media type: in JSON, or a plain value as it is. */
function formOfContent(
  document: ApiDocument,
  [mediaType, media]: readonly [string, JsonValue],
  { path }: Located,
  place: ParameterPlace,
  usual: string,
): Form {
  const value = (isJsonObject(media) ? ownValue(media, "schema") : undefined) ?? {};
  const schema = { value, path: [...path, "content", mediaType, "schema"] };
  if (isJsonType(mediaType) && place === "query") return { schema, ...JSON_TEXT };
  const types = plainTypes((from) => followed(document, from), schema);
  const isPlain = types.length > 0 && !types.some((type) => ["array", "object"].includes(type));
  const unsayable = `is written as ${mediaType} in one text`;
  const isSayable = isPlain && !isJsonType(mediaType);
  return { schema, ...styleIn({}, usual), ...(!isSayable && { unsayable }) };
}

/** One text of JSON. */
export const JSON_TEXT: ParameterStyle = { style: "json", explode: false, allowReserved: false };

/** How a parameter, or the encoding of a field, says that its value is written. */
export function styleIn(said: JsonObject, usual: string): ParameterStyle {
  const style = textIn(said, "style") ?? usual;
  const explode = ownValue(said, "explode");
  return {
    style,
    explode: typeof explode === "boolean" ? explode : style === "form",
    allowReserved: ownValue(said, "allowReserved") === true,
  };
}

/** A value of a query or a form in the manifest. @param types that the argument may have; none where any */
export function styledPlaceholder(
  argument: string,
  types: readonly string[],
  { style, explode, allowReserved }: ParameterStyle,
): JsonValue {
  const isList = types.includes("array");
  const isObject = types.includes("object");
  const isWhole = isList || isObject;
  const mayBeWhole = isWhole || types.length === 0;
  const isUsual = style === "form" ? explode : ["deepObject", "json"].includes(style) || !explode;
  const settings: JsonObject = {
    ...((style === "form" ? isObject : mayBeWhole || style === "json") && { style }),
    ...(mayBeWhole && !isUsual && { explode }),
    ...(allowReserved && { allowReserved }),
  };
  return Object.keys(settings).length === 0 ? `{{${argument}}}` : { from: argument, ...settings };
}

/** The types that a schema says, references followed; none where it does not say plainly. */
export function plainTypes(follow: (at: Located) => Located, at: Located, depth = 0): string[] {
  const { value, path } = follow(at);
  if (!isJsonObject(value) || depth > 16) return [];
  const type = ownValue(value, "type");
  const said: JsonValue[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (said.length > 0) return said.map(String).filter((name) => name !== "null");
  return ["allOf", "anyOf", "oneOf"].flatMap((key) => {
    const list = ownValue(value, key);
    if (!Array.isArray(list)) return [];
    return list.flatMap((schema, index) =>
      plainTypes(follow, { value: schema, path: [...path, key, index] }, depth + 1),
    );
  });
}
