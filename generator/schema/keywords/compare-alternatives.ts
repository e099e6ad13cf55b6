import { finding, undecided, type Comparing, type KeywordCheck } from "../comparison/check.js";
import { Conjunction } from "../comparison/conjunction.js";
import { answerOf, type Finding } from "../comparison/finding.js";
import { schemasIn, type ObjectNode, type SchemaNode } from "../comparison/schema-node.js";
import type { ValueType } from "../comparison/value-types.js";
import type { JsonObject } from "../../model/json.js";

/** Finds what the narrow schema accepts and no alternative of the wide one accepts. */
export const compareAlternatives =
  (name: "anyOf" | "oneOf"): KeywordCheck =>
  (narrow, wide, comparing) => {
    const branches = schemasIn(wide, name);
    if (branches.length === 0 || comparing.holdsSame(narrow, wide, [name])) return [];
    return checkBranches(narrow, { wide, name, branches }, comparing);
  };

interface Alternatives {
  readonly wide: ObjectNode;
  readonly name: "anyOf" | "oneOf";
  readonly branches: readonly SchemaNode[];
}

function checkBranches(
  narrow: Conjunction,
  alternatives: Alternatives,
  comparing: Comparing,
): Finding[] {
  if (narrow.isNever) return [];
  const { wide, name } = alternatives;
  const candidates = alternatives.branches.filter(
    (branch) => !comparing.areDisjoint(narrow, conjunctionOf(branch)),
  );
  const [onlyBranch] = candidates;
  if (onlyBranch === undefined) {
    const acceptsOthers = schemasIn(wide, name).some((branch) =>
      [...conjunctionOf(branch).types].some((type) => narrow.types.has(type)),
    );
    const excess = { kind: "type", types: narrow.types, acceptsOthers } as const;
    const answer = narrow.isExactFor("any") ? "incompatible" : "unknown";
    return [finding(answer, excess, narrow, wide, [name])];
  }
  if (candidates.length === 1) return comparing.compareBeside(narrow, onlyBranch);
  if (name === "anyOf" || areExclusive(candidates, comparing)) {
    const fits = candidates.some(
      (branch) => answerOf(comparing.compareBeside(narrow, branch)) === "compatible",
    );
    if (fits) return [];
  }
  const cases = split(narrow);
  if (cases.length < 2) return [undecided(narrow, wide, name)];
  return cases.flatMap((one) =>
    checkBranches(one, { wide, name, branches: candidates }, comparing),
  );
}

/** A conjunction of one schema only. */
export function conjunctionOf(branch: SchemaNode): Conjunction {
  return new Conjunction([branch], branch);
}

/** True if it is proven that no value fits two of the branches. */
function areExclusive(branches: readonly SchemaNode[], comparing: Comparing): boolean {
  return branches.every((left, index) =>
    branches
      .slice(index + 1)
      .every((right) => comparing.areDisjoint(conjunctionOf(left), conjunctionOf(right))),
  );
}

/** Splits a conjunction into cases: one for each value if they are few, else one for each type. */
function split(narrow: Conjunction): Conjunction[] {
  const schemas = narrow.values?.map((value) => ({ const: value })) ?? typeSchemas(narrow.types);
  if (schemas.length < 2) return [];
  const place = narrow.placeOf();
  return schemas.map((schema) => narrow.with({ ...place, schema }));
}

/** One schema for each type. Integers and fractions share one, since no keyword means "not an integer". */
function typeSchemas(types: ReadonlySet<ValueType>): JsonObject[] {
  const names = [...types].filter((type) => !(type === "integer" && types.has("fraction")));
  return names.map((type) => TYPE_SCHEMAS[type]);
}

/** Each type always has the same schema object, so that the comparison can cache conjunctions with it. */
const TYPE_SCHEMAS: Readonly<Record<ValueType, JsonObject>> = {
  null: { type: "null" },
  boolean: { type: "boolean" },
  object: { type: "object" },
  array: { type: "array" },
  integer: { type: "integer" },
  fraction: { type: "number" },
  string: { type: "string" },
};
