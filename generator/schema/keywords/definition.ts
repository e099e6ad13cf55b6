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
 * The shape that the value of a keyword must have. Values of the first five shapes contain subschemas.
 * A `dependency map` is draft-07's map from names to a schema or to a list of property names.
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

/** The type of the values that a keyword can refuse. */
export type Subject = "number" | "string" | "array" | "object";

/** Everything about a keyword. In all members, `rule` is the value of the keyword in a schema. */
export interface KeywordDefinition {
  readonly name: string;
  readonly shape: KeywordShape;
  /** The dialects that have the keyword. */
  readonly dialects: readonly Dialect[];
  /** The type of the values that the keyword can refuse; undefined if it can refuse values of every type. */
  readonly subject?: Subject;
  /** The keyword that must stand beside it, since it has no effect alone. */
  readonly needs?: string;
  /** True if its subschemas apply to the value itself, and not to its properties or items. */
  readonly appliesInPlace?: boolean;
  /** True if a value need not fit its subschemas: they are conditions, are excluded, or describe another value. */
  readonly isTentative?: boolean;
  /** True if its value is a reference to a schema. */
  readonly isReference?: boolean;
  /** True if references lead to it or to its subschemas. */
  readonly isTarget?: boolean;
  /** Advice on what to write in the dialect that does not have the keyword. */
  readonly instead?: string;
  /**
   * Advice on how to correct a value that does not have the keyword's shape.
   *
   * @param property the name of the property whose schema has the keyword; undefined for other schemas
   */
  readonly adviceFor?: (rule: JsonValue, property?: string) => string | undefined;
  /** Describes in words what a schema states by this keyword. Keywords that are described together share one object. */
  readonly words?: Words;
  /** True if the keyword never causes a value to be refused, neither itself nor through other keywords. */
  readonly refusesNothing?: boolean;
  /** True if the keyword with this value refuses nothing, whatever its subschemas say. They still count as evaluating. */
  readonly isVacuous?: (rule: JsonValue) => boolean;
  /** Reports how a value breaks the keyword; undefined for keywords that refuse nothing by themselves. */
  readonly check?: (value: JsonValue, rule: JsonValue, checking: Checking) => void;
  /**
   * Describes a finding, to follow the name of the value: `must be at least 3, not the number 2`. Without it, the
   * findings under `tried` are described.
   */
  readonly problem?: (finding: Finding) => string;
  /**
   * Which findings of tried subschemas a generated server reports: `all` with the keyword's own, those of the `closest`
   * alternative, or only the keyword `itself`. The default is `all`.
   */
  readonly reportsTried?: "all" | "closest" | "itself";
  /** The keyword under which the validator reports values that break this one, if it is another. */
  readonly reportedAs?: string;
  /** Finds what a narrow schema accepts and this keyword refuses. Of keywords that depend on each other, one has it. */
  readonly compare?: KeywordCheck;
  /** The kinds of values about which the keyword may imply facts that the comparison does not see. */
  readonly hidesFactsOf?: readonly Aspect[];
  /** True if the keyword may leave a schema only few values, though it lists none. */
  readonly mayLeaveFew?: boolean;
  /**
   * True if the keyword may leave a schema no value at all, together with others, without saying so plainly. So may every
   * keyword whose subschemas apply in place.
   */
  readonly mayContradict?: boolean;
  /** The value of the keyword that means the same as two of its values together; undefined if there is none. */
  readonly join?: (one: JsonValue, other: JsonValue) => JsonValue;
  /** The TypeScript type of the values that the keyword accepts; undefined if no type can express the keyword. */
  readonly type?: (rule: JsonValue, typing: Typing) => Type;
  /** The keyword whose `type` also covers this one, since the two depend on each other. */
  readonly typedWith?: string;
  /** Narrows the type that all keywords with `type` give together. */
  readonly narrow?: (type: Type, rule: JsonValue, typing: Typing) => Type;
  /**
   * Removes from a type the values that a schema accepts. The schema has only this keyword, and keywords with the same
   * function. Without the function, nothing is removed.
   */
  readonly exclude?: (type: Type, rule: JsonValue, typing: Typing) => Type;
  /** The names of the properties that the keyword describes, to which `unevaluatedProperties` does not apply. */
  readonly describedNames?: (rule: JsonValue) => readonly string[] | "all";
  /** The defaults that the keyword leads to, which are filled in before a handler gets a value. */
  readonly defaults?: (rule: JsonValue, collecting: Collecting) => Defaults;
  /** How to make values that break the keyword only; undefined for keywords that refuse nothing by themselves. */
  readonly breaking?: Breaking;
}

/** Functions that describe a schema in words. Their lists are empty if the schema does not have the keywords. */
export interface Words {
  /** For tables of properties: `exactly 3 characters`. */
  readonly table: (schema: JsonObject) => readonly string[];
  /** For comments of types: `3 characters`. */
  readonly comment: (schema: JsonObject) => readonly string[];
}

/** How to make values that break a keyword. */
export interface Breaking {
  /** True if the keyword with this value refuses anything; without the function, it always does. */
  readonly isConstraint?: (rule: JsonValue) => boolean;
  /** The keys of the entries, if each entry of the keyword is a constraint of its own. */
  readonly entries?: (rule: JsonValue) => readonly (string | number)[];
  /** True if only values would break the keyword that are longer than the ones that are made. */
  readonly isBeyondReach?: (rule: JsonValue) => boolean;
  /** Values that may break the keyword, the best for a test first. */
  readonly candidates: (site: BreakingSite) => Iterable<Candidate>;
  /** More values that a careless check would accept; each gets a test of its own. */
  readonly furtherValues?: (rule: JsonValue, value: JsonValue) => readonly JsonValue[];
}

/** What the check of a keyword can read and call, besides the value and the keyword's value. */
export interface Checking {
  /** The schema that has the keyword. */
  readonly schema: JsonObject;
  readonly dialect: Dialect;
  /** The names and indexes that earlier keywords evaluated. Items that `contains` evaluated are indexes as strings. */
  readonly evaluated: ReadonlySet<string | number>;
  /** The value of another keyword of the schema, if that is in force. */
  beside(keyword: string): JsonValue | undefined;
  /** Adds a finding that the value breaks the keyword. */
  report(message: string, details?: FindingDetails): void;
  /** Applies a schema to the value itself, and adds its findings. */
  apply(schema: JsonSchema): void;
  /** Applies the schema to which a reference leads, and adds its findings. */
  applyReference(reference: string): void;
  /** Applies a schema to a property or item, adds its findings, and counts the property or item as evaluated. */
  applyWithin(step: string | number, schema: JsonSchema): void;
  /** Checks the value or another one against a schema, without adding findings or evaluated names. */
  attempt(schema: JsonSchema, value?: JsonValue): Attempt;
  /** Counts properties or items as evaluated. */
  evaluate(steps: Iterable<string | number>): void;
}

export type FindingDetails = Partial<
  Pick<Finding, "keyword" | "rule" | "params" | "property" | "fitting" | "tried">
>;

/** The result of checking a value against a schema. */
export interface Attempt {
  readonly fits: boolean;
  /** Empty if the value fits. Paths begin at the value. */
  readonly findings: readonly Finding[];
  /** The names and indexes that the schema evaluated. */
  readonly evaluated: ReadonlySet<string | number>;
}
