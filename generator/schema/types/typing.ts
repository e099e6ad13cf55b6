import type { JsonSchema, JsonValue } from "../../model/json.js";
import type { Assertion } from "../assertions.js";
import type { Type } from "./type-model.js";

/** What the type functions of a keyword can read and call, besides the keyword's value. */
export interface Typing {
  /** The value of another keyword of the schema, if that is in force. */
  beside(keyword: string): JsonValue | undefined;
  /** The type of a subschema, by name if references lead to it. */
  typeOf(schema: JsonSchema): Type;
  /** The type of a reference's target. */
  typeOfReference(reference: string): Type;
  /** The intersection of two types. */
  intersect(left: Type, right: Type): Type;
  /** The type without the values that a schema certainly accepts. */
  without(type: Type, schema: JsonSchema): Type;
  /** A type whose named types are replaced by their bodies. */
  expandNames(type: Type): Type;
  /** The keywords of this schema, then of all other schemas that apply to the same value, also through references. */
  inPlace(): readonly (readonly Assertion[])[];
}
