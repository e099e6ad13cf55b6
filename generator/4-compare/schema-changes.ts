import type { SemanticChange } from "../model/plan.js";
import * as rules from "./catalogue/schemas.js";
import type { SchemaRule } from "./catalogue/schemas.js";
import { placeBelow } from "../model/change-places.js";
import type { ChangePlace } from "../model/semantic-rule.js";
import type { Excess, Finding } from "../schema/comparison/finding.js";
import { excessWords, type Meaning } from "./schema-wording.js";

/** A change of a schema, made from a finding of the comparison. */
export interface SchemaChange {
  readonly change: SemanticChange;
  readonly place: ChangePlace;
  /** True if a property is new or gone. That says more than that the property may be absent. */
  readonly isAboutExistence: boolean;
}

type Kind = Exclude<Excess["kind"], "undecided">;

/** The rules for what the old input schema accepts and the new one refuses: such calls fail now. */
const INPUT_NARROWED: Readonly<Record<Kind, SchemaRule>> = {
  type: rules.inputTypeNarrowed,
  enum: rules.inputEnumNarrowed,
  range: rules.inputRangeNarrowed,
  text: rules.inputPatternNarrowed,
  "absent property": rules.inputPropertyNewlyRequired,
  // The old schema did not describe the property: callers who gave it did so at their own risk.
  "described property": rules.inputPropertyAdded,
  "refused property": rules.inputPropertyRemoved,
  "other properties": rules.inputObjectClosed,
  value: rules.inputValuesRefused,
};

/** The rules for what the old input schema refuses and the new one accepts. */
const INPUT_WIDENED: Readonly<Record<Kind, SchemaRule>> = {
  type: rules.inputWidened,
  enum: rules.inputWidened,
  range: rules.inputWidened,
  text: rules.inputWidened,
  "absent property": rules.inputWidened,
  "described property": rules.inputPropertyIgnored,
  "refused property": rules.inputPropertyAdded,
  "other properties": rules.inputWidened,
  value: rules.inputWidened,
};

/** The rules for what the new output schema allows and the old one ruled out: callers may not expect it. */
const OUTPUT_WIDENED: Readonly<Record<Kind, SchemaRule>> = {
  type: rules.outputTypeWidened,
  enum: rules.outputEnumWidened,
  range: rules.outputRangeWidened,
  text: rules.outputPatternWidened,
  "absent property": rules.outputPropertyOptional,
  "described property": rules.outputPropertyRemoved,
  "refused property": rules.outputObjectExtended,
  "other properties": rules.outputObjectOpened,
  value: rules.outputValuesNew,
};

/** The rules for what the old output schema allows and the new one rules out. */
const OUTPUT_NARROWED: Readonly<Record<Kind, SchemaRule>> = {
  type: rules.outputNarrowed,
  enum: rules.outputNarrowed,
  range: rules.outputNarrowed,
  text: rules.outputNarrowed,
  "absent property": rules.outputNarrowed,
  "described property": rules.outputPropertyAdded,
  "refused property": rules.outputPropertyRemoved,
  "other properties": rules.outputNarrowed,
  value: rules.outputNarrowed,
};

function rulesFor({ role, narrowed }: Meaning): Readonly<Record<Kind, SchemaRule>> {
  if (role === "input") return narrowed ? INPUT_NARROWED : INPUT_WIDENED;
  return narrowed ? OUTPUT_NARROWED : OUTPUT_WIDENED;
}

/** True if a finding may break callers: an input accepts less than before, or an output allows more. */
export function mayBreak({ role, narrowed }: Meaning): boolean {
  return (role === "input") === narrowed;
}

/** The change that a finding stands for; none if the finding is unproven and cannot break callers. */
export function changeOf(finding: Finding, meaning: Meaning): SchemaChange[] {
  const { excess } = finding;
  const rule = ruleFor(finding, meaning);
  if (rule === undefined) return [];
  const place = newPlace(finding, meaning);
  const change = rule(place, { message: excessWords(excess, meaning) });
  const isAboutExistence =
    excess.kind === "described property" || excess.kind === "refused property";
  return [{ change, place, isAboutExistence }];
}

function ruleFor({ excess, answer }: Finding, meaning: Meaning): SchemaRule | undefined {
  if (excess.kind === "described property") return rulesFor(meaning)[excess.kind];
  if (answer === "incompatible" && excess.kind !== "undecided")
    return rulesFor(meaning)[excess.kind];
  return mayBreak(meaning) ? rules.schemaChangeUnknown : undefined;
}

/** The place of a finding in the new manifest. */
function newPlace({ narrow, wide, below }: Finding, { narrowed }: Meaning): ChangePlace {
  const { source, path } = narrowed ? wide : narrow;
  return placeBelow(source, ...path, ...below);
}

const RANK = { breaking: 0, warning: 1, info: 2 } as const;

/** Keeps one change for each place: the gravest or, among equally grave ones, the one that says most. */
export function gravestByPlace(changes: readonly SchemaChange[]): SchemaChange[] {
  const byPath = new Map<string, SchemaChange>();
  for (const change of changes) {
    const other = byPath.get(change.change.path);
    if (other === undefined || saysMore(change, other)) byPath.set(change.change.path, change);
  }
  return [...byPath.values()];
}

function saysMore(one: SchemaChange, other: SchemaChange): boolean {
  const difference = RANK[one.change.severity] - RANK[other.change.severity];
  if (difference !== 0) return difference < 0;
  return one.isAboutExistence && !other.isAboutExistence;
}
