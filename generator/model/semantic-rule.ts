import type { ManifestPath } from "./loaded-manifest.js";
import type { SemanticChange, SemanticSeverity } from "./plan.js";

/** What a rule reports. What `mcpwright explain` says of it stands in Markdown in `4-compare/catalogue/`. */
export interface SemanticRule<Parameters> {
  /** Stable, and never used again for another meaning: `tool-removed`. */
  readonly id: string;
  readonly severity: SemanticSeverity;
  readonly message: (parameters: Parameters) => string;
}

/** A place in the new manifest. */
export interface ChangePlace {
  /** The path to it, with the indexes of items. */
  readonly at: ManifestPath;
  /** The same path for people, with the names of items instead of indexes. */
  readonly name: ManifestPath;
}

/** Makes the change that a rule reports at a place. */
export interface RuleMaker<Parameters> {
  (place: ChangePlace, parameters: Parameters): SemanticChange;
  readonly rule: SemanticRule<Parameters>;
}

/** Makes the only function that can report a rule. */
export function defineRule<Parameters = Record<never, never>>(
  rule: SemanticRule<Parameters>,
): RuleMaker<Parameters> {
  const make = ({ at, name }: ChangePlace, parameters: Parameters): SemanticChange => ({
    rule: rule.id,
    severity: rule.severity,
    path: name.join("."),
    message: rule.message(parameters),
    at,
  });
  return Object.assign(make, { rule });
}
