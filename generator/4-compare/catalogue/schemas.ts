import { defineRule, type RuleMaker } from "../../model/semantic-rule.js";
import { jsonExcerpt } from "../wording.js";
import type { JsonValue } from "../../model/json.js";
import type { SemanticSeverity } from "../../model/plan.js";

/** A rule about schemas. Its message comes from what the comparison of the two schemas found. */
export type SchemaRule = RuleMaker<{ readonly message: string }>;

function schemaRule(id: string, severity: SemanticSeverity): SchemaRule {
  return defineRule<{ message: string }>({ id, severity, message: ({ message }) => message });
}

export const inputPropertyNewlyRequired = schemaRule("input-property-newly-required", "breaking");
export const inputPropertyRemoved = schemaRule("input-property-removed", "breaking");
export const inputPropertyIgnored = schemaRule("input-property-ignored", "warning");
export const inputPropertyAdded = schemaRule("input-property-added", "info");
export const inputTypeNarrowed = schemaRule("input-type-narrowed", "breaking");
export const inputEnumNarrowed = schemaRule("input-enum-narrowed", "breaking");
export const inputRangeNarrowed = schemaRule("input-range-narrowed", "breaking");
export const inputPatternNarrowed = schemaRule("input-pattern-narrowed", "breaking");
export const inputObjectClosed = schemaRule("input-object-closed", "breaking");
export const inputValuesRefused = schemaRule("input-values-refused", "breaking");
export const inputWidened = schemaRule("input-widened", "info");
export const outputPropertyRemoved = schemaRule("output-property-removed", "breaking");
export const outputPropertyOptional = schemaRule("output-property-optional", "breaking");
export const outputPropertyAdded = schemaRule("output-property-added", "info");
export const outputObjectExtended = schemaRule("output-object-extended", "breaking");
export const outputTypeWidened = schemaRule("output-type-widened", "breaking");
export const outputEnumWidened = schemaRule("output-enum-widened", "breaking");
export const outputRangeWidened = schemaRule("output-range-widened", "breaking");
export const outputPatternWidened = schemaRule("output-pattern-widened", "breaking");
export const outputObjectOpened = schemaRule("output-object-opened", "breaking");
export const outputValuesNew = schemaRule("output-values-new", "breaking");
export const outputNarrowed = schemaRule("output-narrowed", "info");
export const schemaChangeUnknown = schemaRule("schema-change-unknown", "warning");

export const defaultChanged = defineRule<{
  before: JsonValue | undefined;
  after: JsonValue | undefined;
}>({
  id: "default-changed",
  severity: "warning",
  message: ({ before, after }) => {
    if (before === undefined) {
      return `the default is ${jsonExcerpt(after ?? null)} now, there was none`;
    }
    if (after === undefined) return `the default was ${jsonExcerpt(before)}, there is none now`;
    return `the default was ${jsonExcerpt(before)}, is ${jsonExcerpt(after)}`;
  },
});
