import type { JsonValue } from "../../model/json.js";
import type { SchemaPath } from "../json-schema.js";
import type { SchemaPlace } from "./schema-node.js";
import type { ValueType } from "./value-types.js";

/** `unknown`: nobody proved it, nor the contrary. */
export type Answer = "compatible" | "incompatible" | "unknown";

/** What the narrow schema accepts and the wide one refuses. */
export type Excess =
  /** Values of these types. */
  | { readonly kind: "type"; readonly types: ReadonlySet<ValueType> }
  /** These values; undefined: any but a few. */
  | { readonly kind: "enum"; readonly values: readonly JsonValue[] | undefined }
  /** Values past a limit (`range`), or strings against a `pattern` or `format` (`text`), of the wide schema alone. */
  | {
      readonly kind: "range" | "text";
      readonly keyword: string;
      readonly narrow: JsonValue | undefined;
      readonly wide: JsonValue;
    }
  /** Objects without this property. */
  | { readonly kind: "absent property"; readonly property: string }
  /** The wide schema describes a property of which the narrow one says nothing. */
  | { readonly kind: "described property"; readonly property: string }
  /** The wide schema refuses a property, or says nothing of one, that the narrow one describes. */
  | { readonly kind: "refused property"; readonly property: string }
  /** Properties that neither schema describes: all of them, or those that break a schema. */
  | { readonly kind: "other properties"; readonly isAll: boolean }
  /** Whatever this keyword may refuse: nothing was proven. */
  | { readonly kind: "undecided"; readonly keyword: string };

/**
 * One respect in which the narrow schema may not be within the wide one. With the answer
 * `compatible` it is a difference that refuses no value.
 */
export interface Finding {
  readonly answer: Answer;
  readonly excess: Excess;
  readonly narrow: SchemaPlace;
  readonly wide: SchemaPlace;
  /** The keyword or property, from either place. */
  readonly below: SchemaPath;
}

/** The answer that findings add up to. */
export function answerOf(findings: readonly Finding[]): Answer {
  const answers = new Set(findings.map(({ answer }) => answer));
  if (answers.has("incompatible")) return "incompatible";
  return answers.has("unknown") ? "unknown" : "compatible";
}

/** The findings as they are where more than what was looked at decides: nothing is proven. */
export function asUndecided(findings: readonly Finding[], keyword: string): Finding[] {
  return findings
    .filter(({ answer }) => answer !== "compatible")
    .map((finding) => ({ ...finding, answer: "unknown", excess: { kind: "undecided", keyword } }));
}
