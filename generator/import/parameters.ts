import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";
import {
  entriesOf,
  followReferences,
  followToObject,
  NotImportable,
  textIn,
  type ApiDocument,
  type DocumentPath,
  type Located,
} from "./api-document.js";
import { isJsonType } from "./media-types.js";
import type { Operation } from "./operations.js";

/** How a parameter is serialized, as OpenAPI 3 describes it. */
export interface ParameterStyle {
  readonly style: string;
  readonly explode: boolean;
  readonly allowReserved: boolean;
}

export type ParameterPlace = "path" | "query" | "header" | "cookie" | "body" | "formData";

/** A parameter in the form of OpenAPI 3. */
export interface Parameter extends ParameterStyle {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly isRequired: boolean;
  readonly description?: string;
  readonly schema: Located;
  /** The property of the parameter that an `http` body does not support, as the end of "which …". */
  readonly unsupported?: string;
  readonly at: Located<JsonObject>;
}

const PARAMETER_PLACES: ReadonlySet<string> = new Set([
  "path",
  "query",
  "header",
  "cookie",
  "body",
  "formData",
]);

/** Reports a part of an operation that is left out. */
type Omit = (reason: string, path: DocumentPath) => void;

/**
 * The parameters of an operation and of its path. A parameter of the operation overrides the same one of the path. What
 * is no parameter, or refers to none, is left out.
 */
export function parametersOf(document: ApiDocument, operation: Operation, omit: Omit): Parameter[] {
  const { value, path } = operation;
  const ofOperation = parametersIn(document, { value, path }, omit);
  const ofPath = parametersIn(document, operation.pathItem, omit);
  const byKey = new Map(
    [...ofPath, ...ofOperation].map((parameter) => [
      `${parameter.in} ${parameter.name}`,
      parameter,
    ]),
  );
  return [...byKey.values()];
}

function parametersIn(document: ApiDocument, owner: Located<JsonObject>, omit: Omit): Parameter[] {
  const list = ownValue(owner.value, "parameters") ?? [];
  const path = [...owner.path, "parameters"];
  if (!Array.isArray(list)) {
    omit("its parameters are left out, which are no list", path);
    return [];
  }
  return list.flatMap((value, index) => {
    try {
      const at = followToObject(document, { value, path: [...path, index] });
      return [parameterFrom(document, at)];
    } catch (error) {
      if (!(error instanceof NotImportable)) throw error;
      omit(`a parameter is left out: it ${error.message}`, error.path);
      return [];
    }
  });
}

function parameterFrom(document: ApiDocument, at: Located<JsonObject>): Parameter {
  const name = ownValue(at.value, "name");
  const place = ownValue(at.value, "in");
  if (typeof name !== "string" || typeof place !== "string" || !PARAMETER_PLACES.has(place)) {
    throw new NotImportable("has no name, or no place that a request has", at.path);
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
    ? { ...common, ...serializationIn2(at) }
    : { ...common, ...serializationIn3(document, at, common.in) };
}

type Serialization = ParameterStyle & Pick<Parameter, "schema" | "unsupported">;

/** The serialization in OpenAPI 2.0, in which a parameter is its own schema, except a parameter in the body. */
function serializationIn2(at: Located<JsonObject>): Serialization {
  const place = ownValue(at.value, "in");
  if (place === "body") {
    const schema = { value: ownValue(at.value, "schema") ?? true, path: [...at.path, "schema"] };
    return { schema, style: "simple", explode: false, allowReserved: false };
  }
  const isList = ownValue(at.value, "type") === "array";
  const format = isList ? (ownValue(at.value, "collectionFormat") ?? "csv") : "csv";
  const byFormat: Record<string, string> = { ssv: "spaceDelimited", pipes: "pipeDelimited" };
  const defaultStyle = place === "path" || place === "header" ? "simple" : "form";
  return {
    schema: at,
    style: byFormat[String(format)] ?? defaultStyle,
    explode: !isList || format === "multi",
    allowReserved: false,
    ...(format === "tsv" && { unsupported: "is written with tabs" }),
  };
}

function serializationIn3(
  document: ApiDocument,
  at: Located<JsonObject>,
  place: ParameterPlace,
): Serialization {
  const [content] = entriesOf(ownValue(at.value, "content"));
  const defaultStyle = place === "query" || place === "cookie" ? "form" : "simple";
  if (content !== undefined)
    return serializationOfContent(document, content, at, place, defaultStyle);
  const schema = { value: ownValue(at.value, "schema") ?? {}, path: [...at.path, "schema"] };
  return { schema, ...styleIn(at.value, defaultStyle) };
}

/** A parameter that is one text of a media type. Only JSON, and scalars of any media type, are supported. */
function serializationOfContent(
  document: ApiDocument,
  [mediaType, media]: readonly [string, JsonValue],
  { path }: Located,
  place: ParameterPlace,
  defaultStyle: string,
): Serialization {
  const value = (isJsonObject(media) ? ownValue(media, "schema") : undefined) ?? {};
  const schema = { value, path: [...path, "content", mediaType, "schema"] };
  if (isJsonType(mediaType) && place === "query") return { schema, ...JSON_TEXT };
  const types = declaredTypes((from) => followReferences(document, from), schema);
  const isScalar = types.length > 0 && !types.some((type) => ["array", "object"].includes(type));
  const unsupported = `is written as ${mediaType} in one text`;
  const isSupported = isScalar && !isJsonType(mediaType);
  return { schema, ...styleIn({}, defaultStyle), ...(!isSupported && { unsupported }) };
}

/** The style of a value that is sent as one JSON text. */
export const JSON_TEXT: ParameterStyle = { style: "json", explode: false, allowReserved: false };

/** Reads the style from a parameter, or from the encoding of a field. */
export function styleIn(settings: JsonObject, defaultStyle: string): ParameterStyle {
  const style = textIn(settings, "style") ?? defaultStyle;
  const explode = ownValue(settings, "explode");
  return {
    style,
    explode: typeof explode === "boolean" ? explode : style === "form",
    allowReserved: ownValue(settings, "allowReserved") === true,
  };
}

/**
 * A value of a query or a form in the manifest, which sends an argument.
 *
 * @param types the types that the argument can have; empty if any
 */
export function styledPlaceholder(
  argument: string,
  types: readonly string[],
  { style, explode, allowReserved }: ParameterStyle,
): JsonValue {
  const isList = types.includes("array");
  const isObject = types.includes("object");
  const mayBeCompound = isList || isObject || types.length === 0;
  const isDefaultExplode =
    style === "form" ? explode : ["deepObject", "json"].includes(style) || !explode;
  const settings: JsonObject = {
    ...((style === "form" ? isObject : mayBeCompound || style === "json") && { style }),
    ...(mayBeCompound && !isDefaultExplode && { explode }),
    ...(allowReserved && { allowReserved }),
  };
  return Object.keys(settings).length === 0 ? `{{${argument}}}` : { from: argument, ...settings };
}

/**
 * The types that a schema declares with `type`, or in its `allOf`, `anyOf` and `oneOf`, without null. Empty if it
 * declares none.
 *
 * @param follow follows references
 */
export function declaredTypes(follow: (at: Located) => Located, at: Located, depth = 0): string[] {
  const { value, path } = follow(at);
  if (!isJsonObject(value) || depth > 16) return [];
  const type = ownValue(value, "type");
  const types: JsonValue[] = Array.isArray(type) ? type : type === undefined ? [] : [type];
  if (types.length > 0) return types.map(String).filter((name) => name !== "null");
  return ["allOf", "anyOf", "oneOf"].flatMap((key) => {
    const list = ownValue(value, key);
    if (!Array.isArray(list)) return [];
    return list.flatMap((schema, index) =>
      declaredTypes(follow, { value: schema, path: [...path, key, index] }, depth + 1),
    );
  });
}
