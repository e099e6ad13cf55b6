import type { JsonSchema, JsonValue } from "../model/json.js";

/** A path of property names and array indexes within a value. */
export type ValuePath = readonly (string | number)[];

/** A keyword of a schema that a value breaks. */
export interface Finding {
  /** The path from the value that was checked to the value that breaks the keyword. */
  readonly path: ValuePath;
  /** The value at the path. */
  readonly value: JsonValue;
  /** The schema that has the keyword. */
  readonly schema: JsonSchema;
  /** The keyword, or one of {@link NO_KEYWORDS}. */
  readonly keyword: string;
  /** The keyword's value. */
  readonly rule: JsonValue;
  /** The message of the validators of generated servers. */
  readonly message: string;
  /** The parameters that AJV reports with the message, by AJV's names. */
  readonly params?: Readonly<Record<string, JsonValue>>;
  /** The name of the property that is missing, is not described, or has a refused name. */
  readonly property?: string;
  /** How many alternatives of `oneOf` the value fits, or how many items fit `contains` if they are too many. */
  readonly fitting?: number;
  /** The findings of each subschema that was tried; their paths begin at the end of this finding's path. */
  readonly tried?: readonly (readonly Finding[])[];
}

/** Values of `keyword` that are no keywords: the schema is `false`, or the value is too deep or costs too much. */
const NO_KEYWORDS = ["false schema", "depth", "cost"] as const;

/** A copy of a finding whose path begins further out. */
export function movedBelow(path: ValuePath, finding: Finding): Finding {
  return path.length === 0 ? finding : { ...finding, path: [...path, ...finding.path] };
}
