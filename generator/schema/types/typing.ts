import type { JsonSchema, JsonValue } from "../../model/json.js";
import type { Assertion } from "../assertions.js";
import type { Type } from "./type-model.js";

/** What a keyword that says something of types is given beside its own value. */
export interface Typing {
  /** What stands beside the keyword under another, where that is in force. */
  beside(keyword: string): JsonValue | undefined;
  /** The type of a schema within, by name where it has one. */
  typeOf(schema: JsonSchema): Type;
  /** The type of what a reference leads to. */
  typeOfReference(reference: string): Type;
  /** The values that both types hold. */
  both(left: Type, right: Type): Type;
  /** The values of a type that a schema refuses, and those of which that is not sure. */
  without(type: Type, schema: JsonSchema): Type;
  /** A type with what its names stand for in their place. */
  open(type: Type): Type;
  /** The keywords of this schema, then those of each other that applies to the same value, references followed. */
  inPlace(): readonly (readonly Assertion[])[];
}
