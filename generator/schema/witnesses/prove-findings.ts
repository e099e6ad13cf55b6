import { isJsonObject, type JsonSchema, type JsonValue } from "../../model/json.js";
import type { Finding } from "../comparison/finding.js";
import type { Patterns } from "../comparison/patterns.js";
import type { SchemaNode, SchemaPlace } from "../comparison/schema-node.js";
import type { Finding as Refusal } from "../finding.js";
import { interpret } from "../interpret.js";
import { ownValue } from "../json-schema.js";
import { KEYWORDS } from "../keywords/index.js";
import type { SharedWork } from "../shared-work.js";
import { keywordsWithin, walkSchema } from "../subschemas.js";
import { canonicalText } from "../values.js";
import { joinSchemas, type JoinedSchemas } from "./joined-schemas.js";
import { areSampled, changedValues, madeValues, partsOf } from "./tried-values.js";

/** The most values that are judged for one pair of schemas. */
const MAX_JUDGED = 6_000;
/** How many schemas the values for one pair may be checked against, each time counted. */
const MAX_WORK = 300_000;
/** The most values whose changes are tried too. */
const MAX_CHANGED = 24;

/** What every value is tried with: the values that may occur, the patterns and the common budget of work. */
export interface Trial {
  /** Whether a value can occur at all: an input is always an object, whatever its schema allows. */
  readonly isValue: (value: JsonValue) => boolean;
  readonly patterns: Patterns;
  /** The work budget that all pairs of schemas share. */
  readonly work: SharedWork;
}

/**
 * Tries the findings of a comparison of keywords with values: a value that the narrow schema accepts and the wide one
 * refuses is a proof. It proves findings that the comparison left open. Where keywords that decide on others are
 * involved and no value is found, nothing is incompatible for certain, since there may be no values at all.
 *
 * @param findings of the comparison of the two root schemas
 */
export function proveFindings(
  findings: readonly Finding[],
  narrow: SchemaNode,
  wide: SchemaNode,
  trial: Trial,
): readonly Finding[] {
  const isDoubtful = [narrow, wide].some(mayContradictItself);
  const weighty = findings.filter(isWeighty);
  if (weighty.every(({ answer }) => answer === "incompatible" && !isDoubtful)) return findings;
  const joined = joinSchemas(narrow, wide, trial.patterns);
  if (joined === undefined) return findings;
  const search = new WitnessSearch(joined, trial);
  const described = new Set(findings.flatMap(namesDescribed));
  const { proven, witness } = claim(weighty, described, search, joined);
  if (witness === undefined) {
    return isDoubtful && search.isThorough ? findings.map(asOpen) : findings;
  }
  const tried = findings.map((finding) => proven.get(finding) ?? finding);
  if (tried.some((one) => isWeighty(one) && one.answer === "incompatible")) return tried;
  // The value is refused by a keyword about which nothing was found.
  return tried.map((one) => (one === weighty[0] ? incompatibleBy(witness, one) : one));
}

/** True for a finding that may break callers. Who gave a property that was not described did so at their own risk. */
function isWeighty({ answer, excess }: Finding): boolean {
  return answer !== "compatible" && excess.kind !== "described property";
}

function namesDescribed({ excess }: Finding): string[] {
  return excess.kind === "described property" ? [excess.property] : [];
}

/** True if a schema may accept no value without saying so plainly. */
function mayContradictItself({ schema }: SchemaNode): boolean {
  if (!isJsonObject(schema)) return false;
  return [...keywordsWithin(schema)].some((name) => {
    const { appliesInPlace, mayContradict } = KEYWORDS.get(name) ?? {};
    return appliesInPlace === true || mayContradict === true;
  });
}

const asOpen = (finding: Finding): Finding =>
  finding.answer === "incompatible" ? { ...finding, answer: "unknown" } : finding;

interface Claimed {
  /** The findings that were open, and are proven now. */
  readonly proven: ReadonlyMap<Finding, Finding>;
  /** A value that the narrow schema accepts and the wide one refuses. */
  readonly witness: JsonValue | undefined;
}

/**
 * Searches until every open finding has a value that proves it, and there is at least one such value.
 *
 * @param described names of properties; values that are refused for what stands in these prove nothing
 */
function claim(
  findings: readonly Finding[],
  described: ReadonlySet<string | number>,
  search: WitnessSearch,
  joined: JoinedSchemas,
): Claimed {
  const open = new Set(findings.filter(({ answer }) => answer === "unknown"));
  const proven = new Map<Finding, Finding>();
  let witness: JsonValue | undefined;
  for (const { value, refusals } of search.witnesses()) {
    const counted = refusals.filter((refusal) => !concerns(refusal, described)).flatMap(withTried);
    if (counted.length === 0) continue;
    witness ??= value;
    for (const finding of open) {
      if (!counted.some((refusal) => isAbout(refusal, finding, joined))) continue;
      open.delete(finding);
      proven.set(finding, provenBy(value, finding));
    }
    if (open.size === 0) break;
  }
  return { proven, witness };
}

/** True if a refusal, or one on which it rests, is about what stands in one of the named properties. */
function concerns(refusal: Refusal, names: ReadonlySet<string | number>): boolean {
  return withTried(refusal).some(({ path }) => path.some((step) => names.has(step)));
}

/** A refusal and those of the alternatives that were tried. */
function withTried(refusal: Refusal): Refusal[] {
  return [refusal, ...(refusal.tried ?? []).flat().flatMap(withTried)];
}

/** True if the keyword that refused a value is the one that a finding left open. */
function isAbout(
  refusal: Refusal,
  { excess, wide, below }: Finding,
  joined: JoinedSchemas,
): boolean {
  const schema = joined.originalOf(refusal.schema);
  const target = schemaAt(wide);
  if (excess.kind === "undecided") {
    if (refusal.keyword !== excess.keyword) return false;
    // The finding may be at a subschema of the keyword.
    return walkSchema(schema).some(
      ([path, one]) => one === target && (path.length === 0 || path[0] === excess.keyword),
    );
  }
  if (schema !== target) return false;
  return excess.kind === "absent property"
    ? refusal.keyword === "required" && refusal.property === excess.property
    : refusal.keyword === below[0];
}

function schemaAt({ source, path }: SchemaPlace): JsonValue | undefined {
  let value: JsonValue | undefined = source.root;
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isJsonObject(value) ? ownValue(value, String(step)) : undefined;
  }
  return value;
}

function provenBy(value: JsonValue, finding: Finding): Finding {
  return finding.excess.kind === "undecided"
    ? incompatibleBy(value, finding)
    : { ...finding, answer: "incompatible" };
}

function incompatibleBy(value: JsonValue, finding: Finding): Finding {
  return { ...finding, answer: "incompatible", excess: { kind: "value", value } };
}

/** A value that the narrow schema accepts, with the reasons for which the wide one refuses it. */
interface Witness {
  readonly value: JsonValue;
  readonly refusals: readonly Refusal[];
}

/** Searches for values that one schema accepts and another refuses, within a budget. */
class WitnessSearch {
  readonly #joined: JoinedSchemas;
  readonly #trial: Trial;
  readonly #workLeftAtEnd: number;
  readonly #seen = new Set<string>();
  /** The values whose changes are worth a trial: at first those that the narrow schema accepts. */
  readonly #accepted: JsonValue[] = [];
  readonly #others: JsonValue[] = [];

  constructor(joined: JoinedSchemas, trial: Trial) {
    this.#joined = joined;
    this.#trial = trial;
    this.#workLeftAtEnd = Math.max(0, trial.work.left - MAX_WORK);
  }

  /** True if values could be made of everything that the schemas say, so that it means something if none was found. */
  get isThorough(): boolean {
    const { isSmall, both } = this.#joined;
    return !this.#isExhausted && isSmall && areSampled(both);
  }

  *witnesses(): Generator<Witness> {
    for (const value of madeValues(this.#joined)) yield* this.#judge(value);
    const parts = partsOf(this.#joined.both);
    for (let count = 0; count < MAX_CHANGED; count += 1) {
      const value = this.#accepted.shift() ?? this.#others.shift();
      if (value === undefined) return;
      for (const changed of changedValues(value, parts)) {
        if (this.#seen.size >= MAX_JUDGED || this.#isExhausted) return;
        yield* this.#judge(changed);
      }
    }
  }

  get #isExhausted(): boolean {
    return this.#trial.work.left <= this.#workLeftAtEnd;
  }

  /** Judges a value that was not judged before. */
  *#judge(value: JsonValue): Generator<Witness> {
    const text = canonicalText(value);
    if (this.#seen.has(text) || !this.#trial.isValue(value)) return;
    this.#seen.add(text);
    const isAccepted = this.#refusals(this.#joined.narrow, value).length === 0;
    const refusals = this.#refusals(this.#joined.wide, value);
    if (isAccepted) this.#accepted.push(value);
    else if (refusals.length === 0) this.#others.push(value);
    const isJudged = refusals.every(({ keyword }) => keyword !== "depth" && keyword !== "cost");
    if (isAccepted && refusals.length > 0 && isJudged) yield { value, refusals };
  }

  #refusals(schema: JsonSchema, value: JsonValue): readonly Refusal[] {
    return interpret(value, schema, schema, { work: this.#trial.work });
  }
}
