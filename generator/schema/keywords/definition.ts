import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import type { KeywordCheck } from "../comparison/check.js";
import type { Aspect } from "../comparison/conjunction.js";
import type { Finding } from "../finding.js";
import type { BreakingSite, Candidate } from "../instances/breaking-site.js";
import type { Collecting, Defaults } from "../defaults/defaults.js";
import type { Dialect } from "../json-schema.js";
import type { Type } from "../types/type-model.js";
import type { Typing } from "../types/typing.js";

/**
 * What the value of a keyword must look like. The first five say where subschemas stand in it;
 * `dependency map` is draft-07's map of a schema or a list of property names.
 */
export type KeywordShape =
  | "schema"
  | "schema list"
  | "schema map"
  | "schema or schema list"
  | "dependency map"
  | "any"
  | "list"
  | "string"
  | "boolean"
  | "number"
  | "positive number"
  | "count"
  | "name list"
  | "name list map"
  | "type";

export const BOTH_DIALECTS: readonly Dialect[] = ["2020-12", "draft-07"];
export const MODERN_ONLY: readonly Dialect[] = ["2020-12"];
export const DRAFT_07_ONLY: readonly Dialect[] = ["draft-07"];

/** The types of value that keywords of their own ask something of. */
export type Subject = "number" | "string" | "array" | "object";

/** What a keyword means, said once for all that read schemas. */
export interface KeywordDefinition {
  readonly name: string;
  readonly shape: KeywordShape;
  /** The dialects in which the keyword means something. */
  readonly dialects: readonly Dialect[];
  /** The type whose values the keyword asks something of; undefined for a keyword of any type. */
  readonly subject?: Subject;
  /** Whether its subschemas apply to the value itself, and not to a part of it. */
  readonly appliesInPlace?: boolean;
  /** Whether no value has to fit its subschemas: they are tried or excluded, or speak of something else. */
  readonly isTentative?: boolean;
  /** Whether its value is the text of a reference to a schema. */
  readonly isReference?: boolean;
  /** Whether references lead to it, or to what is under it. */
  readonly isTarget?: boolean;
  /** What to write in the dialect that does not know it. */
  readonly instead?: string;
  /** How to mend a value of it that is not of its shape. */
  readonly adviceFor?: (rule: JsonValue) => string | undefined;
  /** What a schema says in words with this keyword and those of its family, which share it. */
  readonly words?: Words;
  /** Whether it refuses no value, itself or through those beside it. */
  readonly refusesNothing?: boolean;
  /** Reports what the keyword finds of a value; undefined for keywords that refuse none. */
  readonly check?: (value: JsonValue, rule: JsonValue, checking: Checking) => void;
  /**
   * What a value that breaks the keyword is or lacks, after its name: `must be at least 3, not the number 2`. Where it
   * is absent, what was tried says it.
   */
  readonly problem?: (finding: Finding) => string;
  /** What callers of a server are told where schemas were tried: all that they found, the closest one's, or nothing of it. */
  readonly reportsTried?: "all" | "closest" | "itself";
  /** The keyword that reports what values of this one refuse, where that is another. */
  readonly reportedAs?: string;
  /** What a schema accepts that this keyword of another refuses; keywords that mean something only together share one. */
  readonly compare?: KeywordCheck;
  /** The kinds of values of which facts may follow from the keyword that a comparison does not see. */
  readonly hidesFactsOf?: readonly Aspect[];
  /** Whether beside the keyword a schema may have few values, though it lists none. */
  readonly mayLeaveFew?: boolean;
  /** Every value that the keyword accepts, as a TypeScript type; undefined where no type can say what it asks. */
  readonly type?: (rule: JsonValue, typing: Typing) => Type;
  /** The keyword whose `type` speaks for this one as well, since they mean something only together. */
  readonly typedWith?: string;
  /** Narrows the type that the keywords beside it leave. */
  readonly narrow?: (type: Type, rule: JsonValue, typing: Typing) => Type;
  /**
   * A type without the values that a schema accepts which has this keyword and no others but those that share the
   * function; where it is undefined, such a schema takes nothing away.
   */
  readonly exclude?: (type: Type, rule: JsonValue, typing: Typing) => Type;
  /** The names of the properties that it describes, which `unevaluatedProperties` leaves alone. */
  readonly describedNames?: (rule: JsonValue) => readonly string[] | "all";
  /** The defaults under it that are filled in before a handler gets a value. */
  readonly defaults?: (rule: JsonValue, collecting: Collecting) => Defaults;
  /** How values break it and nothing else; undefined for keywords without constraints of their own. */
  readonly breaking?: Breaking;
}

/** Both leave out what a schema does not say. */
export interface Words {
  /** For tables of properties: `exactly 3 characters`. */
  readonly table: (schema: JsonObject) => readonly string[];
  /** For comments of types: `3 characters`. */
  readonly comment: (schema: JsonObject) => readonly string[];
}

/** How a keyword is broken where it stands. */
export interface Breaking {
  /** Whether the keyword refuses anything; where this is absent, it always does. */
  readonly isConstraint?: (rule: JsonValue) => boolean;
  /** The constraints that it holds, where each of its entries is one. */
  readonly entries?: (rule: JsonValue) => readonly (string | number)[];
  /** Whether only a longer value would break it than are made. */
  readonly isBeyondReach?: (rule: JsonValue) => boolean;
  /** Values that might break it, the most telling first. */
  readonly candidates: (site: BreakingSite) => Iterable<Candidate>;
  /** Further values that tell whether it is checked with care; each is worth a test of its own. */
  readonly furtherValues?: (rule: JsonValue, value: JsonValue) => readonly JsonValue[];
}

/** What the check of a keyword is given beside the value and the keyword's own. */
export interface Checking {
  /** The schema that has the keyword. */
  readonly schema: JsonObject;
  readonly dialect: Dialect;
  /** The names and indexes that the keywords before have evaluated; of items that `contains` found, the index as a name. */
  readonly evaluated: ReadonlySet<string | number>;
  /** What stands beside the keyword under another, where that is in force. */
  beside(keyword: string): JsonValue | undefined;
  /** Notes that the value breaks the keyword. */
  report(message: string, details?: FindingDetails): void;
  /** Applies a schema to the value itself. */
  apply(schema: JsonSchema): void;
  /** Applies the schema that a reference leads to. */
  applyReference(reference: string): void;
  /** Applies a schema to a part of the value, which is evaluated thereby. */
  applyWithin(step: string | number, schema: JsonSchema): void;
  /** What a schema finds of the value itself or of another; nothing is reported, and nothing evaluated. */
  attempt(schema: JsonSchema, value?: JsonValue): Attempt;
  /** Counts parts of the value as evaluated. */
  evaluate(steps: Iterable<string | number>): void;
}

export type FindingDetails = Partial<
  Pick<Finding, "keyword" | "rule" | "params" | "property" | "fitting" | "tried">
>;

/** What a schema found of a value. */
export interface Attempt {
  readonly fits: boolean;
  /** Empty where the value fits; paths begin at the value. */
  readonly found: readonly Finding[];
  /** The names and indexes that the schema evaluated. */
  readonly evaluated: ReadonlySet<string | number>;
}
