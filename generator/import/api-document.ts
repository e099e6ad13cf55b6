import type { Place } from "../model/catalogue-entry.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import { ownValue } from "../schema/json-schema.js";

/** A path from the root of a document to one of its values. */
export type DocumentPath = readonly (string | number)[];

/** The key under which the further files of a document stand in its value, by their paths from its folder. */
export const FILES = "x-mcpwright-files";

/** A file in JSON or YAML, and where its values stand in it. */
export interface DocumentSource {
  readonly file: string;
  readonly text: string;
  readonly value: JsonObject;
  /** Where a value begins; of a path that leads nowhere, its nearest ancestor. */
  readonly locate: (path: DocumentPath) => Place;
}

export type ApiVersion = "2.0" | "3.0" | "3.1";

/** An OpenAPI document. */
export interface ApiDocument extends DocumentSource {
  readonly version: ApiVersion;
}

/** A value of a document and the path that it has there, references followed. */
export interface Located<Value extends JsonValue = JsonValue> {
  readonly value: Value;
  readonly path: DocumentPath;
}

/** Why an operation, or a part of one, is not imported. */
export class NotImportable extends Error {
  readonly path: DocumentPath;

  constructor(reason: string, path: DocumentPath) {
    super(reason);
    this.path = path;
  }
}

/** A JSON Pointer (RFC 6901), as the fragment of a reference has it, behind the file where it is not the main one. */
export function pointerTo(path: DocumentPath): string {
  if (path[0] === FILES && path.length > 1) return `${path[1]}${pointerTo(path.slice(2))}`;
  const segments = path.map((segment) => String(segment).replace(/~/g, "~0").replace(/\//g, "~1"));
  return `#${segments.map((segment) => `/${segment}`).join("")}`;
}

/**
 * The path of a reference inside a document.
 *
 * @throws {NotImportable} where it leads out of the document
 */
export function pathOfReference(reference: string, from: DocumentPath): DocumentPath {
  if (reference !== "#" && !reference.startsWith("#/")) {
    if (reference.startsWith("#"))
      throw new NotImportable(`refers to ${reference}, which is no JSON Pointer`, from);
    const isAddress = /^[a-z]+:/i.test(reference);
    const what = isAddress ? "another address" : "a file outside of the document's folder";
    throw new NotImportable(`refers to ${what}; bundle the document into one file first`, from);
  }
  return reference
    .slice(1)
    .split("/")
    .slice(1)
    .map((segment) => decoded(segment, from).replace(/~1/g, "/").replace(/~0/g, "~"));
}

function decoded(segment: string, from: DocumentPath): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new NotImportable("has a reference that is not percent-encoded text", from);
  }
}

/** The value at a path; undefined where there is none. */
export function valueAtPath(root: JsonValue, path: DocumentPath): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const segment of path) {
    if (Array.isArray(value)) value = value[Number(segment)];
    else value = isJsonObject(value) ? ownValue(value, String(segment)) : undefined;
  }
  return value;
}

/** So many references may follow each other. */
const LONGEST_CHAIN = 32;

/**
 * Follows a reference to what it stands for.
 *
 * @throws {NotImportable} where it leads nowhere, into another file, or in a circle
 */
export function followed(document: ApiDocument, from: Located): Located {
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

/** What a reference object refers to. */
export function referenceIn(value: JsonValue | undefined): string | undefined {
  const reference = isJsonObject(value) ? ownValue(value, "$ref") : undefined;
  return typeof reference === "string" ? reference : undefined;
}

/** The object under a key, references followed; undefined where there is none. */
export function objectIn(
  document: ApiDocument,
  { value, path }: Located,
  key: string,
): Located<JsonObject> | undefined {
  const member = isJsonObject(value) ? ownValue(value, key) : undefined;
  if (member === undefined || member === null) return undefined;
  return followedObject(document, { value: member, path: [...path, key] });
}

/** @throws {NotImportable} where it is no object */
export function followedObject(document: ApiDocument, from: Located): Located<JsonObject> {
  const { value, path } = followed(document, from);
  if (!isJsonObject(value)) throw new NotImportable("should be an object", path);
  return { value, path };
}

/** What the value at a path is called: its key, or its file's name. */
export function lastName(path: DocumentPath): string {
  const name = String(path.at(-1) ?? "Root");
  if (path.length !== 2 || path[0] !== FILES) return name;
  return name.replace(/^.*\//, "").replace(/\.(?:ya?ml|json)$/i, "");
}

/** The text under a key; undefined for anything else. */
export function textIn(value: JsonObject | undefined, key: string): string | undefined {
  const found = value === undefined ? undefined : ownValue(value, key);
  return typeof found === "string" && found.trim() !== "" ? found : undefined;
}

/** The entries of an object under a key; none for anything else. */
export function entriesOf(value: JsonValue | undefined): [string, JsonValue][] {
  return isJsonObject(value) ? Object.entries(value) : [];
}
