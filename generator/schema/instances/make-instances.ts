import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import { dialectOf, type SchemaPath } from "../json-schema.js";
import { KEYWORDS } from "../keywords/index.js";
import { canonicalText, isEqual } from "../values.js";
import { pointerSegment, type ReportedFinding } from "../reported-findings.js";
import { BreakingSite, type Constraint } from "./breaking-site.js";
import { constraintsOf, isImpliedType } from "./breaking-values.js";
import { InstanceBuilder } from "./instance-builder.js";
import { Places } from "./places.js";
import { SchemaStudy } from "./schema-study.js";
import { Sites, type Base, type PlacedSite } from "./sites.js";
import { MAXIMUM_ITEMS, MAXIMUM_STRING } from "./sizes.js";
import { isMemberPath, reaches, reaching, replaceAt, valueAt } from "./value-paths.js";
import { TYPICAL_REQUEST, type ValueRequest } from "./value-request.js";

/** A value that breaks one constraint of a schema and no other. */
export interface BreakingInstance {
  /** JSON pointer of the keyword, or of its entry: `/properties/days/maximum`, `/required/0`. */
  readonly constraint: string;
  readonly value: JsonValue;
  /** What callers are told of it first. */
  readonly finding: ReportedFinding;
}

/** A constraint that no value was made for. */
export interface LeftOutConstraint {
  readonly constraint: string;
  readonly reason: string;
}

export interface Instances {
  /** Valid values, all different: with only what is required first, with everything, at the bounds. */
  readonly valid: readonly JsonValue[];
  readonly breaking: readonly BreakingInstance[];
  readonly leftOut: readonly LeftOutConstraint[];
}

const MAXIMUM_BREAKING = 250;
const MAXIMUM_VALID = 8;
/** Bounds on the work for one schema. */
const MAXIMUM_ALTERNATIVES = 4;
const ATTEMPTS_FOR_ONE = 80;
const ATTEMPTS_FOR_ALL = 4_000;

/**
 * Makes values from a schema: valid ones, and for each constraint one that breaks just that.
 * Every value is proved by the interpreter; the work is bounded, and the same schema gives the same values. Where a value cannot be made, it is missing.
 *
 * @param schema in wire form: valid and self-contained
 */
export function makeInstances(schema: JsonSchema): Instances {
  const maker = new InstanceMaker(new SchemaStudy(schema));
  return { valid: maker.valid(), ...maker.breaking() };
}

/** One plausible valid value, of the author's examples and defaults where there are any. */
export function makeMock(schema: JsonSchema): JsonValue | undefined {
  return new InstanceMaker(new SchemaStudy(schema)).mock();
}

/** A value that breaks a constraint. */
type Broken = Omit<BreakingInstance, "constraint">;

class InstanceMaker {
  readonly #study: SchemaStudy;
  readonly #builder: InstanceBuilder;
  /** Valid values by the wishes for them. */
  readonly #values = new Map<string, JsonValue | undefined>();
  #madeSites: Sites | undefined;
  #madeBases: readonly Base[] | undefined;
  #knownAlternatives: number | undefined;
  readonly #places: Places;
  #attemptsLeft = ATTEMPTS_FOR_ALL;

  constructor(study: SchemaStudy) {
    this.#study = study;
    this.#places = new Places(study.root, dialectOf(study.root));
    this.#builder = new InstanceBuilder(this.#places);
  }

  valid(): readonly JsonValue[] {
    return this.#bases.slice(0, MAXIMUM_VALID).map(({ value }) => value);
  }

  get #sites(): Sites {
    return (this.#madeSites ??= new Sites(this.#study.root, this.#bases, this.#places));
  }

  get #bases(): readonly Base[] {
    return (this.#madeBases ??= this.#makeBases());
  }

  #makeBases(): Base[] {
    const bases: Base[] = [];
    for (let alternative = 0; alternative < this.#alternatives(); alternative += 1) {
      for (const [properties, bound] of WAYS) {
        const request: ValueRequest = { ...TYPICAL_REQUEST, properties, bound, alternative };
        const value = this.#validValue(request);
        if (value === undefined || bases.some((base) => isEqual(base.value, value))) continue;
        bases.push({ value, request });
      }
    }
    return bases;
  }

  /** A valid value that was made as is wished. */
  #validValue(request: ValueRequest): JsonValue | undefined {
    const key = `${request.properties} ${request.bound} ${request.alternative}`;
    if (!this.#values.has(key)) this.#values.set(key, this.#validValueAt(request, []));
    return this.#values.get(key);
  }

  /** One that has something at a path. */
  #validValueAt(request: ValueRequest, path: SchemaPath): JsonValue | undefined {
    const { root } = this.#study;
    const schemas = path.length === 0 ? [root] : [root, reaching(path)];
    const value = this.#builder.build(schemas, request);
    return value !== undefined && this.#study.accepts(value) ? value : undefined;
  }

  /** How many alternatives are worth trying. */
  #alternatives(): number {
    return (this.#knownAlternatives ??= this.#countAlternatives());
  }

  /** The most that one subschema offers. */
  #countAlternatives(): number {
    let most = 1;
    for (const { anyOf, oneOf, type, if: condition } of this.#study.paths.keys()) {
      if (Array.isArray(anyOf)) most = Math.max(most, anyOf.length);
      if (Array.isArray(oneOf)) most = Math.max(most, oneOf.length);
      if (Array.isArray(type)) most = Math.max(most, type.length);
      if (condition !== undefined) most = Math.max(most, 2);
    }
    return Math.min(most, MAXIMUM_ALTERNATIVES);
  }

  mock(): JsonValue | undefined {
    for (const [properties, bound] of [["all", "typical"] as const, ...WAYS]) {
      for (let alternative = 0; alternative < this.#alternatives(); alternative += 1) {
        const value = this.#validValue({ ...TYPICAL_REQUEST, properties, bound, alternative });
        if (value !== undefined) return value;
      }
    }
    return undefined;
  }

  breaking(): Pick<Instances, "breaking" | "leftOut"> {
    const breaking: BreakingInstance[] = [];
    const leftOut: LeftOutConstraint[] = [];
    for (const [schema, path] of this.#study.paths) {
      for (const constraint of constraintsOf(schema)) {
        const pointer = pointerOf([...path, ...segmentsOf(constraint)]);
        const found = breaking.length < MAXIMUM_BREAKING ? this.#break(constraint) : TOO_MANY;
        if (typeof found === "string") leftOut.push({ constraint: pointer, reason: found });
        else for (const one of found) breaking.push({ constraint: pointer, ...one });
      }
    }
    return { breaking, leftOut };
  }

  /** Values that break a constraint, or the reason why there is none. */
  #break(constraint: Constraint): Broken[] | string {
    if (isImpliedType(constraint)) return "`enum` or `const` refuses every such value too";
    const { breaking } = KEYWORDS.get(constraint.keyword) ?? {};
    const rule = constraint.schema[constraint.keyword] ?? null;
    if (breaking?.isBeyondReach?.(rule) === true) return NONE_FOUND;
    if (this.#sites.at(constraint.schema, 0) === undefined) {
      return "no valid value that was made reaches it";
    }
    const first = this.#breakOnce(constraint);
    if (first === undefined) return NONE_FOUND;
    const further = this.#furtherBreaking(constraint);
    if (further.length === 0) return [first];
    const all = [first, ...further].map((broken) => [canonicalText(broken.value), broken] as const);
    return [...new Map(all).values()];
  }

  #breakOnce(constraint: Constraint): Broken | undefined {
    let attempts = Math.min(ATTEMPTS_FOR_ONE, this.#attemptsLeft);
    if (attempts <= 0) return undefined;
    for (const frame of this.#framesOf(constraint.schema)) {
      for (const candidate of this.#candidates(frame, constraint)) {
        const cost = 1 + Math.floor(frame.schemas.length / 16);
        attempts -= cost;
        this.#attemptsLeft -= cost;
        if (attempts < 0) return undefined;
        if (candidate === undefined) continue;
        const broken = this.#broken(frame, candidate, constraint);
        if (broken !== undefined && isSmall(broken.value)) return broken;
      }
    }
    return undefined;
  }

  #candidates(frame: Frame, constraint: Constraint): Iterable<JsonValue | undefined> {
    const { breaking } = KEYWORDS.get(constraint.keyword) ?? {};
    const value = valueAt(frame.whole, frame.path);
    const site = new BreakingSite(value, frame.schemas, constraint, this.#builder);
    return breaking?.candidates(site) ?? [];
  }

  /** More values that break a constraint, where one says little of how it is checked. */
  #furtherBreaking(constraint: Constraint): Broken[] {
    const [frame] = this.#attemptsLeft > 0 ? this.#framesOf(constraint.schema) : [];
    const { breaking } = KEYWORDS.get(constraint.keyword) ?? {};
    if (frame === undefined || breaking?.furtherValues === undefined) return [];
    const rule = constraint.schema[constraint.keyword] ?? null;
    return breaking
      .furtherValues(rule, valueAt(frame.whole, frame.path))
      .flatMap((candidate) => this.#broken(frame, candidate, constraint) ?? []);
  }

  /** The sites of a subschema, each in the valid values around it. */
  *#framesOf(schema: JsonObject): Generator<Frame> {
    for (let index = 0; ; index += 1) {
      const site = this.#sites.at(schema, index);
      if (site === undefined) return;
      const { path, schemas, base } = site;
      const smallest = this.#smallestAt(site);
      // The smallest that reaches the site comes first, since it reads best.
      if (smallest !== undefined) yield { path, schemas, whole: smallest };
      yield { path, schemas, whole: base.value };
    }
  }

  /** The smallest valid value that has something at a site; mostly, that is the smallest of all. */
  #smallestAt(site: PlacedSite): JsonValue | undefined {
    site.smallest ??= { value: this.#makeSmallest(site) };
    return site.smallest.value;
  }

  #makeSmallest({ base, path }: PlacedSite): JsonValue | undefined {
    const request: ValueRequest = {
      ...TYPICAL_REQUEST,
      properties: "required",
      alternative: base.request.alternative,
    };
    const smallest = this.#validValue(request);
    const reachesSite = smallest !== undefined && isMemberPath(path) && reaches(smallest, path);
    return reachesSite ? smallest : this.#validValueAt(request, path);
  }

  /** A frame with a candidate in it, if it breaks the constraint and nothing else. */
  #broken(
    { whole, path }: Frame,
    candidate: JsonValue,
    { schema, keyword }: Constraint,
  ): Broken | undefined {
    const value = replaceAt(whole, path, candidate);
    const finding = this.#study.refusal(value, schema, keyword);
    return finding && { value, finding };
  }
}

/** A site in a valid value, at which others can be put. */
interface Frame {
  readonly path: SchemaPath;
  /** All schemas that speak there. */
  readonly schemas: readonly JsonObject[];
  readonly whole: JsonValue;
}

/** Whether a value is one that people can be shown. */
function isSmall(value: JsonValue): boolean {
  if (typeof value === "string") return value.length <= 2 * MAXIMUM_STRING;
  if (typeof value !== "object" || value === null) return true;
  const members = Array.isArray(value) ? value : Object.values(value);
  return members.length <= MAXIMUM_ITEMS && members.every(isSmall);
}

const TOO_MANY = `more than ${MAXIMUM_BREAKING} constraints`;
const NONE_FOUND = "no value was found that breaks this and nothing else";

const WAYS = [
  ["required", "typical"],
  ["required", "low"],
  ["all", "low"],
  ["all", "high"],
  ["all", "typical"],
] as const;

/** Where a constraint stands in its schema. */
function segmentsOf({ keyword, entry }: Constraint): SchemaPath {
  return entry === undefined ? [keyword] : [keyword, entry];
}

function pointerOf(path: SchemaPath): string {
  let pointer = "";
  for (const step of path) pointer += pointerSegment(String(step));
  return pointer;
}
