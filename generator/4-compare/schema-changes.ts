import type { SemanticChange } from "../model/plan.js";
import * as rules from "./catalogue/schemas.js";
import type { SchemaRule } from "./catalogue/schemas.js";
import type { ChangePlace } from "./rule.js";
import type { Excess, Finding } from "../schema/comparison/finding.js";
import { excessWords, type Meaning } from "./schema-wording.js";

/** A finding about two schemas as a change. */
export interface SchemaChange {
  readonly change: SemanticChange;
  readonly place: ChangePlace;
  /** Whether it speaks of a property that is there or not, which says more than that it may be absent. */
  readonly isAboutExistence: boolean;
}

type Kind = Exclude<Excess["kind"], "undecided">;

/** What an old input accepts and the new one does not: calls fail that succeeded. */
const INPUT_NARROWED: Readonly<Record<Kind, SchemaRule>> = {
  type: rules.inputTypeNarrowed,
  enum: rules.inputEnumNarrowed,
  range: rules.inputRangeNarrowed,
  text: rules.inputPatternNarrowed,
  "absent property": rules.inputPropertyNewlyRequired,
  // Whoever gave a property of which the schema said nothing did so at their own risk.
  "described property": rules.inputPropertyAdded,
  "refused property": rules.inputPropertyRemoved,
  "other properties": rules.inputObjectClosed,
};

const INPUT_WIDENED: Readonly<Record<Kind, SchemaRule>> = {
  type: rules.inputWidened,
  enum: rules.inputWidened,
  range: rules.inputWidened,
  text: rules.inputWidened,
  "absent property": rules.inputWidened,
  "described property": rules.inputPropertyIgnored,
  "refused property": rules.inputPropertyAdded,
  "other properties": rules.inputWidened,
};

/** What a new output may be and the old one never was: callers meet what they were not promised. */
const OUTPUT_WIDENED: Readonly<Record<Kind, SchemaRule>> = {
  type: rules.outputTypeWidened,
  enum: rules.outputEnumWidened,
  range: rules.outputRangeWidened,
  text: rules.outputPatternWidened,
  "absent property": rules.outputPropertyOptional,
  "described property": rules.outputPropertyRemoved,
  "refused property": rules.outputObjectExtended,
  "other properties": rules.outputObjectOpened,
};

const OUTPUT_NARROWED: Readonly<Record<Kind, SchemaRule>> = {
  type: rules.outputNarrowed,
  enum: rules.outputNarrowed,
  range: rules.outputNarrowed,
  text: rules.outputNarrowed,
  "absent property": rules.outputNarrowed,
  "described property": rules.outputPropertyAdded,
  "refused property": rules.outputPropertyRemoved,
  "other properties": rules.outputNarrowed,
};

function rulesFor({ role, narrowed }: Meaning): Readonly<Record<Kind, SchemaRule>> {
  if (role === "input") return narrowed ? INPUT_NARROWED : INPUT_WIDENED;
  return narrowed ? OUTPUT_NARROWED : OUTPUT_WIDENED;
}

/** Whether callers may be hurt by a finding: it is about what they send, or about what they get. */
function mayHurt({ role, narrowed }: Meaning): boolean {
  return (role === "input") === narrowed;
}

/** The change that a finding is; none where it was not proven and could only be good news. */
export function changeOf(finding: Finding, meaning: Meaning): SchemaChange[] {
  const { excess } = finding;
  const rule = ruleFor(finding, meaning);
  if (rule === undefined) return [];
  const place = newPlace(finding, meaning);
  const change = rule(place, { what: excessWords(excess, meaning) });
  const isAboutExistence =
    excess.kind === "described property" || excess.kind === "refused property";
  return [{ change, place, isAboutExistence }];
}

function ruleFor({ excess, answer }: Finding, meaning: Meaning): SchemaRule | undefined {
  if (excess.kind === "described property") return rulesFor(meaning)[excess.kind];
  if (answer === "incompatible" && excess.kind !== "undecided")
    return rulesFor(meaning)[excess.kind];
  return mayHurt(meaning) ? rules.schemaChangeUnknown : undefined;
}

/** Where a finding stands in the new manifest. */
function newPlace({ narrow, wide, below }: Finding, { narrowed }: Meaning): ChangePlace {
  const { source, path } = narrowed ? wide : narrow;
  return { at: [...source.at, ...path, ...below], name: [...source.name, ...path, ...below] };
}

const RANK = { breaking: 0, warning: 1, info: 2 } as const;

/** One change a place: the gravest, or the one that says most. */
export function gravestByPlace(changes: readonly SchemaChange[]): SchemaChange[] {
  const byPath = new Map<string, SchemaChange>();
  for (const one of changes) {
    const other = byPath.get(one.change.path);
    if (other === undefined || saysMore(one, other)) byPath.set(one.change.path, one);
  }
  return [...byPath.values()];
}

function saysMore(one: SchemaChange, other: SchemaChange): boolean {
  const difference = RANK[one.change.severity] - RANK[other.change.severity];
  if (difference !== 0) return difference < 0;
  return one.isAboutExistence && !other.isAboutExistence;
}
