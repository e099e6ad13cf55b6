import type { JsonObject, JsonValue } from "../model/json.js";
import type { DocumentPath, Located } from "./api-document.js";

/** `request` for schemas of values that callers send, `response` for values that the upstream answers. */
export type Direction = "request" | "response";

/** How deep properties are searched in `allOf`. */
export const MOST_ALL_OF_LEVELS = 8;

/** What the conversion of a schema needs in addition to the schema. */
export interface SchemaContext {
  readonly direction: Direction;
  /** Returns a reference of the manifest to the schema that a reference of the document refers to. */
  readonly refer: (reference: string, from: DocumentPath) => JsonObject;
  /** Returns a reference to a schema of the document without its alternatives, which lead back to another schema. */
  readonly referToBase: (path: DocumentPath) => JsonObject;
  /** True if keywords beside a reference count. Before OpenAPI 3.1, they are ignored. */
  readonly allowsReferenceSiblings: boolean;
  /** Reports that a part of a schema is left out. */
  readonly omit: (reason: string, path: DocumentPath) => void;
  /** The value at a path of the document. */
  readonly valueAt: (path: DocumentPath) => JsonValue | undefined;
  /** Follows references to a schema of the document. The result says nothing where they lead nowhere. */
  readonly follow: (schema: Located) => Located;
}

/** Converts a keyword of a document. Returns the keywords that it becomes; none if the manifest cannot express it. */
export type KeywordConversion = (
  value: JsonValue,
  at: Located<JsonObject>,
  context: SchemaContext,
) => JsonObject;
