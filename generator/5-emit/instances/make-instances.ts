import {
  brokenConstraints,
  constraintName,
} from "../../../templates/runtime/suite/values/constraints.js";
import { plainPlaces, type PlainPlace } from "../../../templates/runtime/suite/values/places.js";
import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import type { SchemaPath } from "../../schema/json-schema.js";
import { pointerSegment } from "../validators/plain-schema.js";
import type { Finding } from "../validators/reading-validator.js";
import { canonicalText, isEqual } from "../../schema/pieces/values.js";
import {
  breakingCandidates,
  constraintsOf,
  isBeyondReach,
  isImpliedType,
  tellingValues,
  type Constraint,
} from "./breaking-values.js";
import { Frame, isSmall } from "./frame.js";
import { AMPLE_VALUES, InstanceBuilder } from "./instance-builder.js";
import { Places } from "./places.js";
import { PlainParts } from "./plain-parts.js";
import { SchemaStudy } from "./schema-study.js";
import { Sites, type Base, type PlacedSite } from "./sites.js";
import { isMemberPath, memberAt, reaches, reaching, replaceAt } from "./value-paths.js";
import { TYPICAL, type Wish } from "./wish.js";

/** How instances are made. */
export interface InstanceOptions {
  /** Knows which subschemas are plain; what is made does not depend on it. */
  readonly plainParts?: PlainParts;
  /** Whether constraints are passed over that the tests of a project break by themselves, as their schema shows. */
  readonly leavesPlain?: boolean;
}

/** A value that breaks one constraint of a schema and no other. */
export interface BreakingInstance {
  /** JSON pointer of the keyword, or of its entry: `/properties/days/maximum`, `/required/0`. */
  readonly constraint: string;
  readonly value: JsonValue;
  /** What callers are told of it first. */
  readonly finding: Finding;
}

/** A constraint that no value was made for. */
export interface LeftOutConstraint {
  readonly constraint: string;
  readonly reason: string;
}

export interface Instances {
  /** Valid values, all different: with only what is required first, with everything, at the bounds. */
  readonly valid: readonly JsonValue[];
  /** One plausible valid value, of the author's examples and defaults where there are any. */
  readonly mock: JsonValue | undefined;
  readonly breaking: readonly BreakingInstance[];
  readonly leftOut: readonly LeftOutConstraint[];
}

const MAXIMUM_BREAKING = 60;
const MAXIMUM_VALID = 8;
/** Bounds on the work for one schema. */
const MAXIMUM_ALTERNATIVES = 4;
const ATTEMPTS_FOR_ONE = 80;
const ATTEMPTS_FOR_ALL = 4_000;

/**
 * Makes values from a schema: valid ones, and for each constraint one that breaks just that.
 * Every value is proved by a validator, or by the way in which it was made; the work is bounded, and the same schema gives the same
 * values. Where a value cannot be made, it is missing.
 *
 * @param schema in wire form: valid and self-contained
 */
export function makeInstances(schema: JsonSchema, options: InstanceOptions = {}): Instances {
  const { plainParts = new PlainParts(), leavesPlain = false } = options;
  const maker = new InstanceMaker(new SchemaStudy(schema), plainParts);
  const valid = maker.valid();
  const passed = leavesPlain ? plainPlacesOf(schema, valid) : undefined;
  return { valid, mock: maker.mock(), ...maker.breaking(passed) };
}

/** By its schema, each place where constraints may be plain. */
function plainPlacesOf(schema: JsonSchema, valid: readonly JsonValue[]): PlainPlaces {
  if (typeof schema === "boolean") return new Map();
  return new Map(plainPlaces(schema, valid).map((place) => [place.schema, place]));
}

type PlainPlaces = ReadonlyMap<JsonObject, PlainPlace>;

/** A value that breaks a constraint. */
type Broken = Omit<BreakingInstance, "constraint">;

/** A value that was made as was wished, if it is valid. */
interface MadeValue {
  readonly value: JsonValue | undefined;
  /** How many values it is made of. */
  readonly count: number;
}

class InstanceMaker {
  readonly #study: SchemaStudy;
  readonly #builder: InstanceBuilder;
  /** Valid values by the wishes for them. */
  readonly #values = new Map<string, MadeValue>();
  #madeSites: Sites | undefined;
  #madeBases: readonly Base[] | undefined;
  #knownAlternatives: number | undefined;
  readonly #places: Places;
  readonly #plainParts: PlainParts;
  #attemptsLeft = ATTEMPTS_FOR_ALL;

  constructor(study: SchemaStudy, plainParts: PlainParts) {
    this.#study = study;
    this.#plainParts = plainParts;
    this.#places = new Places(study.root, study.dialect);
    this.#builder = new InstanceBuilder(this.#places, plainParts);
  }

  valid(): readonly JsonValue[] {
    return this.#bases.slice(0, MAXIMUM_VALID).map(({ value }) => value);
  }

  get #sites(): Sites {
    return (this.#madeSites ??= new Sites(
      this.#study.root,
      this.#bases,
      this.#places,
      this.#plainParts,
    ));
  }

  get #bases(): readonly Base[] {
    return (this.#madeBases ??= this.#makeBases());
  }

  #makeBases(): Base[] {
    const bases: Base[] = [];
    for (let alternative = 0; alternative < this.#alternatives(); alternative += 1) {
      for (const [properties, bound] of WAYS) {
        const wish: Wish = { ...TYPICAL, properties, bound, alternative };
        const { value } = this.#validValue(wish);
        if (value === undefined || bases.some((base) => isEqual(base.value, value))) continue;
        bases.push({ value, wish });
      }
    }
    return bases;
  }

  /** A valid value that was made as is wished. */
  #validValue(wish: Wish): MadeValue {
    const key = `${wish.properties} ${wish.bound} ${wish.alternative}`;
    let made = this.#values.get(key);
    if (made === undefined) {
      made = { value: this.#validValueAt(wish, []), count: this.#builder.count };
      this.#values.set(key, made);
    }
    return made;
  }

  /** One that has something at a path. */
  #validValueAt(wish: Wish, path: SchemaPath): JsonValue | undefined {
    const { root } = this.#study;
    const schemas = path.length === 0 ? [root] : [root, reaching(path)];
    const value = this.#builder.build(schemas, wish);
    if (value === undefined) return undefined;
    return this.#builder.isProven || this.#study.accepts(value) ? value : undefined;
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
        const { value } = this.#validValue({ ...TYPICAL, properties, bound, alternative });
        if (value !== undefined) return value;
      }
    }
    return undefined;
  }

  /** @param passed places of which plain constraints are passed over */
  breaking(passed?: PlainPlaces): Pick<Instances, "breaking" | "leftOut"> {
    const breaking: BreakingInstance[] = [];
    const leftOut: LeftOutConstraint[] = [];
    for (const [schema, path] of this.#study.paths) {
      const plain = passed?.get(schema);
      const broken = plain && brokenConstraints(plain);
      for (const constraint of constraintsOf(schema)) {
        if (broken?.has(constraintName(constraint.keyword, constraint.entry))) continue;
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
    if (isBeyondReach(constraint)) return NONE_FOUND;
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
    for (let number = 0; ; number += 1) {
      const frame = this.#frame(constraint.schema, number);
      if (frame === undefined) return undefined;
      for (const candidate of breakingCandidates(frame, constraint, this.#builder)) {
        const cost = 1 + Math.floor(frame.schemas.length / 16);
        attempts -= cost;
        this.#attemptsLeft -= cost;
        if (attempts < 0) return undefined;
        if (candidate === undefined) continue;
        const broken = this.#broken(frame, candidate, constraint, isSmall);
        if (broken !== undefined) return broken;
      }
    }
  }

  /** More values that break a constraint, where one says little of how it is checked. */
  #furtherBreaking(constraint: Constraint): Broken[] {
    const frame = this.#attemptsLeft > 0 ? this.#frame(constraint.schema, 0) : undefined;
    if (frame === undefined) return [];
    return tellingValues(frame, constraint).flatMap(
      (candidate) => this.#broken(frame, candidate, constraint) ?? [],
    );
  }

  /** The sites of a subschema, each in the valid values around it, by their number. */
  #frame(schema: JsonObject, number: number): Frame | undefined {
    let before = 0;
    for (let index = 0; ; index += 1) {
      const site = this.#sites.at(schema, index);
      if (site === undefined) return undefined;
      const frames = this.#framesOf(site);
      if (number < before + frames.length) return frames[number - before];
      before += frames.length;
    }
  }

  #framesOf(site: PlacedSite): readonly Frame[] {
    return (site.frames ??= this.#makeFrames(site));
  }

  /** The smallest that reaches the site comes first, since it reads best. */
  #makeFrames(site: PlacedSite): Frame[] {
    const { base } = site;
    const smallest = this.#smallestAt(site);
    const wholes = smallest === undefined ? [base.value] : [smallest, base.value];
    return wholes.map((whole) => new Frame(site, whole));
  }

  /** The smallest valid value that has something at a site; mostly, that is the smallest of all. */
  #smallestAt(site: PlacedSite): JsonValue | undefined {
    const { base, path } = site;
    const wish: Wish = { ...TYPICAL, properties: "required", alternative: base.wish.alternative };
    const smallest = this.#validValue(wish);
    const { value } = smallest;
    if (value !== undefined && isMemberPath(path) && reaches(value, path)) return value;
    return this.#grown(smallest, site, wish) ?? this.#validValueAt(wish, path);
  }

  /** A valid value with what is missing of it on the way to a site: what would come of making it anew, where that can be known. */
  #grown({ value, count }: MadeValue, site: PlacedSite, wish: Wish): JsonValue | undefined {
    // Where a reference leads, members come in another order.
    if (value === undefined || !site.isDecidedAlone || !this.#study.isTree) return undefined;
    let grown = value;
    let found: JsonValue = value;
    let values = count;
    for (const place of wayTo(site)) {
      if (!keepsMembers(place.parent?.schemas[0])) return undefined;
      let member = memberAt(found, place.path.at(-1) ?? "");
      if (member === undefined) {
        member = this.#partAt(place, wish);
        values += this.#builder.count;
        if (member === undefined || values >= AMPLE_VALUES) return undefined;
        grown = replaceAt(grown, place.path, member);
      }
      found = member;
    }
    return grown;
  }

  /** A valid value for a place that is decided alone; undefined for items, since no array would grow by one. */
  #partAt({ path, schemas, isDecidedAlone }: PlacedSite, wish: Wish): JsonValue | undefined {
    const [schema] = schemas;
    const name = path.at(-1);
    if (!isDecidedAlone || schema === undefined || typeof name !== "string") return undefined;
    const part = this.#builder.buildPart(schema, { ...wish, name }, path.length);
    if (part === undefined) return undefined;
    return this.#builder.isProven || this.#study.acceptsAt(schema, part) ? part : undefined;
  }

  /** A frame with a candidate in it, if it breaks the constraint and nothing else. */
  #broken(
    frame: Frame,
    candidate: JsonValue,
    { schema, keyword }: Constraint,
    isFit: (value: JsonValue) => boolean = () => true,
  ): Broken | undefined {
    if (frame.isOpen && this.#study.isTree) {
      if (!isFit(candidate)) return undefined;
      const finding = this.#study.refusalAt(frame.pointer, candidate, schema, keyword);
      return finding && { value: frame.with(candidate), finding };
    }
    const value = frame.with(candidate);
    if (!isFit(value)) return undefined;
    const finding = this.#study.refusal(value, schema, keyword);
    return finding && { value, finding };
  }
}

/** The places on the way from the whole value to a site, which is the last. */
function wayTo(site: PlacedSite): PlacedSite[] {
  const way: PlacedSite[] = [];
  for (let at = site; at.parent !== undefined; at = at.parent) way.push(at);
  return way.reverse();
}

/** Whether the members that an object or an array is made with stay as they are when it must have another one. */
function keepsMembers(schema: JsonObject | undefined): boolean {
  if (schema === undefined) return false;
  return !MAKING_KEYWORDS.some((keyword) => schema[keyword] !== undefined);
}

/** What the making of a container goes by, beside its members' schemas. */
const MAKING_KEYWORDS = ["examples", "default", "minProperties", "maxProperties", "uniqueItems"];

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
