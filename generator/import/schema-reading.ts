import type { JsonObject, JsonValue } from "../model/json.js";
import type { DocumentPath, Located } from "./api-document.js";

/** Whether a schema is for what callers give, or for what the upstream answers. */
export type Direction = "request" | "response";

/** What the reading of a schema needs to know besides the schema. */
export interface Reading {
  readonly direction: Direction;
  /** A schema that stands for the one that a reference leads to. */
  readonly refer: (reference: string, from: DocumentPath) => JsonObject;
  /** Whether keywords beside a reference say something: before OpenAPI 3.1, they do not. */
  readonly mayStandBesideReferences: boolean;
  /** Says that a part of a schema is not carried over. */
  readonly leave: (reason: string, path: DocumentPath) => void;
  /** The schema that a reference leads to, for what is said of its properties. */
  readonly follow: (schema: Located) => Located;
}

/** What a keyword of a document becomes; nothing where it says nothing that the manifest can have. */
export type Rewriting = (value: JsonValue, at: Located<JsonObject>, reading: Reading) => JsonObject;
