import type { Place } from "../model/place.js";
import type { Diagnostic } from "../model/diagnostic.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";

/** A path from the root of a document to one of its values. */
export type DocumentPath = readonly (string | number)[];

/** The key in a document's value that contains its other files, by their paths relative to its folder. */
export const FILES = "x-mcpwright-files";

/** A file in JSON or YAML, with the positions of its values. */
export interface DocumentSource {
  readonly file: string;
  readonly text: string;
  readonly value: JsonObject;
  /** The position of a value. If the path does not exist, the position of its nearest ancestor. */
  readonly locate: (path: DocumentPath) => Place;
}

/** The result of reading, or the problem because of which there is none. */
export type Read<Value> = Value | { readonly problem: Diagnostic };

export type ApiVersion = "2.0" | "3.0" | "3.1";

/** An OpenAPI document. */
export interface ApiDocument extends DocumentSource {
  readonly version: ApiVersion;
}

/** A value of a document, and its path in the document. A path never goes through a reference. */
export interface Located<Value extends JsonValue = JsonValue> {
  readonly value: Value;
  readonly path: DocumentPath;
}

/**
 * Thrown if an operation, or a part of it, cannot be imported. The message continues a sentence that begins with the
 * operation: "has a path that begins with no slash".
 */
export class NotImportable extends Error {
  readonly path: DocumentPath;

  constructor(reason: string, path: DocumentPath) {
    super(reason);
    this.path = path;
  }
}

/** Thrown for what no request can send, such as a file. A schema that is only hard to describe is none of these. */
export class NotSendable extends NotImportable {}

/** A JSON Pointer (RFC 6901) with `#` before it, as in references. If it is in another file, that file's path is first. */
export function pointerTo(path: DocumentPath): string {
  if (path[0] === FILES && path.length > 1) return `${path[1]}${pointerTo(path.slice(2))}`;
  const segments = path.map((segment) => String(segment).replace(/~/g, "~0").replace(/\//g, "~1"));
  return `#${segments.map((segment) => `/${segment}`).join("")}`;
}

/**
 * The path that a reference refers to.
 *
 * @param from path of the reference itself, for the problem
 * @throws {NotImportable} if it refers to something outside of the document
 */
export function pathOfReference(reference: string, from: DocumentPath): DocumentPath {
  if (reference !== "#" && !reference.startsWith("#/")) {
    if (reference.startsWith("#"))
      throw new NotImportable(`refers to ${reference}, which is no JSON Pointer`, from);
    const isAddress = /^[a-z]+:/i.test(reference);
    const target = isAddress ? "another address" : "a file outside of the document's folder";
    throw new NotImportable(`refers to ${target}; bundle the document into one file first`, from);
  }
  return reference
    .slice(1)
    .split("/")
    .slice(1)
    .map((segment) => decodeSegment(segment, from).replace(/~1/g, "/").replace(/~0/g, "~"));
}

function decodeSegment(segment: string, from: DocumentPath): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new NotImportable("has a reference that is not percent-encoded text", from);
  }
}

/** The value at a path. Undefined if the path does not exist. */
export function valueAtPath(root: JsonValue, path: DocumentPath): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const segment of path) {
    if (Array.isArray(value)) value = value[Number(segment)];
    else value = isJsonObject(value) ? ownValue(value, String(segment)) : undefined;
  }
  return value;
}

/** The most references that may refer to each other in a chain. */
const LONGEST_CHAIN = 32;

/**
 * Follows references until there is a value that is no reference.
 *
 * @throws {NotImportable} if a reference refers to nothing, to something outside of the document, or to itself
 */
export function followReferences(document: ApiDocument, from: Located): Located {
  let { value, path } = from;
  for (let step = 0; step < LONGEST_CHAIN; step += 1) {
    const reference = referenceIn(value);
    if (reference === undefined) return { value, path };
    const target = pathOfReference(reference, path);
    const found = valueAtPath(document.value, target);
    if (found === undefined)
      throw new NotImportable(`refers to ${pointerTo(target)}, which is not there`, path);
    value = found;
    path = target;
  }
  throw new NotImportable("has references that lead in a circle", from.path);
}

/** The same as {@link followReferences}, for looking ahead: what cannot be followed is a schema that says nothing. */
export function followedOrOpen(document: ApiDocument, from: Located): Located {
  try {
    return followReferences(document, from);
  } catch (error) {
    if (!(error instanceof NotImportable)) throw error;
    return { value: {}, path: from.path };
  }
}

/** The text of a reference object. Undefined for any other value. */
export function referenceIn(value: JsonValue | undefined): string | undefined {
  const reference = isJsonObject(value) ? ownValue(value, "$ref") : undefined;
  return typeof reference === "string" ? reference : undefined;
}

/**
 * The object under a key. References are followed. Undefined if the key is absent or null.
 *
 * @throws {NotImportable} if its value is no object
 */
export function objectIn(
  document: ApiDocument,
  { value, path }: Located,
  key: string,
): Located<JsonObject> | undefined {
  const member = isJsonObject(value) ? ownValue(value, key) : undefined;
  if (member === undefined || member === null) return undefined;
  return followToObject(document, { value: member, path: [...path, key] });
}

/** Follows references to an object. @throws {NotImportable} if the value is no object */
export function followToObject(document: ApiDocument, from: Located): Located<JsonObject> {
  const { value, path } = followReferences(document, from);
  if (!isJsonObject(value)) throw new NotImportable("should be an object", path);
  return { value, path };
}

/** The name of the value at a path: its key, or the name of its file without the extension. */
export function lastName(path: DocumentPath): string {
  const name = String(path.at(-1) ?? "Root");
  if (path.length !== 2 || path[0] !== FILES) return name;
  return name.replace(/^.*\//, "").replace(/\.(?:ya?ml|json)$/i, "");
}

/** The string under a key. Undefined if there is none, or if it is blank. */
export function textIn(value: JsonObject | undefined, key: string): string | undefined {
  const member = value === undefined ? undefined : ownValue(value, key);
  return typeof member === "string" && member.trim() !== "" ? member : undefined;
}

/** The entries of an object. Empty for any other value. */
export function entriesOf(value: JsonValue | undefined): [string, JsonValue][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}
