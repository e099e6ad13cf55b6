import type { JsonValue } from "../../model/json.js";
import type { SchemaPath } from "../json-schema.js";
import type { SchemaPlace } from "./schema-node.js";
import type { ValueType } from "./value-types.js";

/** `unknown`: neither compatibility nor incompatibility is proven. */
export type Answer = "compatible" | "incompatible" | "unknown";

/** What the narrow schema accepts and the wide one refuses. */
export type Excess =
  /** Values of these types; not all of them if the wide schema accepts others. */
  | {
      readonly kind: "type";
      readonly types: ReadonlySet<ValueType>;
      readonly acceptsOthers?: boolean;
    }
  /** These values; undefined if they are all values but a few. */
  | { readonly kind: "enum"; readonly values: readonly JsonValue[] | undefined }
  /** Values that a limit (`range`), or a `pattern` or `format` (`text`), of the wide schema refuses. */
  | {
      readonly kind: "range" | "text";
      readonly keyword: string;
      readonly narrow: JsonValue | undefined;
      readonly wide: JsonValue;
    }
  /** Objects without this property. */
  | { readonly kind: "absent property"; readonly property: string }
  /** A property that the wide schema describes and the narrow one does not. */
  | { readonly kind: "described property"; readonly property: string }
  /** A property that the narrow schema describes, and that the wide one refuses or does not describe. */
  | { readonly kind: "refused property"; readonly property: string }
  /** Properties that neither schema describes: all of them, or those that do not fit a schema. */
  | { readonly kind: "other properties"; readonly isAll: boolean }
  /** Values such as this one. */
  | { readonly kind: "value"; readonly value: JsonValue }
  /** Values that this keyword may refuse: nothing was proven. */
  | { readonly kind: "undecided"; readonly keyword: string };

/**
 * A difference by which the narrow schema may accept a value that the wide one refuses. With the answer
 * `compatible`, the difference refuses no value.
 */
export interface Finding {
  readonly answer: Answer;
  readonly excess: Excess;
  readonly narrow: SchemaPlace;
  readonly wide: SchemaPlace;
  /** The path to the keyword or property, from either place. */
  readonly below: SchemaPath;
}

/** The worst answer among the findings: `incompatible` before `unknown` before `compatible`. */
export function answerOf(findings: readonly Finding[]): Answer {
  const answers = new Set(findings.map(({ answer }) => answer));
  if (answers.has("incompatible")) return "incompatible";
  return answers.has("unknown") ? "unknown" : "compatible";
}

/** Turns findings about a subschema into findings that nothing is proven, if the keyword decides on more than it. */
export function asUndecided(findings: readonly Finding[], keyword: string): Finding[] {
  return findings
    .filter(({ answer }) => answer !== "compatible")
    .map((finding) => ({ ...finding, answer: "unknown", excess: { kind: "undecided", keyword } }));
}
