import type { JsonSchema, JsonValue } from "../model/json.js";

/** A path from a value to a part of it. */
export type ValuePath = readonly (string | number)[];

/** A keyword of a schema that a value breaks. */
export interface Finding {
  /** Where in the value that was judged. */
  readonly path: ValuePath;
  /** What stands there. */
  readonly value: JsonValue;
  /** The schema that has the keyword. */
  readonly schema: JsonSchema;
  /** The keyword, or one of {@link NO_KEYWORDS}. */
  readonly keyword: string;
  /** The keyword's value. */
  readonly rule: JsonValue;
  /** What the validators of generated servers say. */
  readonly message: string;
  /** What else they say of it, by AJV's names. */
  readonly params?: Readonly<Record<string, JsonValue>>;
  /** The property that is missing, that the schema does not have, or whose name it refuses. */
  readonly property?: string;
  /** How many alternatives of `oneOf` fit, or items `contains` where they are too many. */
  readonly fitting?: number;
  /** What the schemas found that were tried, in each one's order; paths lead on from this finding's. */
  readonly tried?: readonly (readonly Finding[])[];
}

/** What findings have in place of a keyword: a schema that is `false`, and values that cannot be judged. */
const NO_KEYWORDS = ["false schema", "depth", "cost"] as const;

/** A finding with the path to it from further out. */
export function movedBelow(path: ValuePath, finding: Finding): Finding {
  return path.length === 0 ? finding : { ...finding, path: [...path, ...finding.path] };
}
