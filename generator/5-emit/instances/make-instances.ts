import {
  isJsonObject,
  type JsonObject,
  type JsonSchema,
  type JsonValue,
} from "../../model/json.js";
import type { SchemaPath } from "../../model/json-schema.js";
import { canonicalText } from "../validators/runtime-pieces.js";
import {
  breakingCandidates,
  constraintsOf,
  isImpliedType,
  tellingValues,
  type Constraint,
  type Site,
} from "./breaking-values.js";
import { InstanceBuilder, MAXIMUM_ITEMS } from "./instance-builder.js";
import { itemSchemas, Places, prefixLength, propertySchemas } from "./places.js";
import { SchemaStudy } from "./schema-study.js";
import { MAXIMUM_STRING } from "./string-values.js";
import { TYPICAL, type Wish } from "./wish.js";

/** A value that breaks one constraint of a schema and no other. */
export interface BreakingInstance {
  /** JSON pointer of the keyword, or of its entry: `/properties/days/maximum`, `/required/0`. */
  readonly constraint: string;
  readonly value: JsonValue;
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
const MAXIMUM_SITES = 3;
const ATTEMPTS_FOR_ONE = 80;
const ATTEMPTS_FOR_ALL = 4_000;

/**
 * Makes values from a schema: valid ones, and for each constraint one that breaks just that.
 * Every value is proved by a validator, the work is bounded, and the same schema gives the same
 * values. Where a value cannot be made, it is missing.
 *
 * @param schema in wire form: valid and self-contained
 * @param study the schema's, where the caller has made one already
 */
export function makeInstances(schema: JsonSchema, study = new SchemaStudy(schema)): Instances {
  const maker = new InstanceMaker(study);
  return { valid: maker.valid(), mock: maker.mock(), ...maker.breaking() };
}

/** The `mock` of a schema's instances, without the others. */
export function makeMock(schema: JsonSchema): JsonValue | undefined {
  return new InstanceMaker(new SchemaStudy(schema)).mock();
}

/** A valid value with the way in which it was made. */
interface Base {
  readonly value: JsonValue;
  readonly wish: Wish;
}

/** Where in a valid value a subschema speaks. */
interface PlacedSite extends Site {
  readonly base: Base;
  readonly path: SchemaPath;
  /** The smallest valid value that reaches the place, once it was asked for. */
  smallest?: JsonValue | undefined;
}

class InstanceMaker {
  readonly #study: SchemaStudy;
  readonly #places: Places;
  readonly #builder: InstanceBuilder;
  /** Valid values by the wishes for them. */
  readonly #values = new Map<string, JsonValue | undefined>();
  #madeBases: readonly Base[] | undefined;
  #knownAlternatives: number | undefined;
  readonly #sites = new Map<JsonObject, PlacedSite[]>();
  #attemptsLeft = ATTEMPTS_FOR_ALL;

  constructor(study: SchemaStudy) {
    this.#study = study;
    this.#places = new Places(study.root, study.dialect);
    this.#builder = new InstanceBuilder(this.#places);
  }

  valid(): readonly JsonValue[] {
    return this.#bases.slice(0, MAXIMUM_VALID).map(({ value }) => value);
  }

  get #bases(): readonly Base[] {
    return (this.#madeBases ??= this.#makeBases());
  }

  #makeBases(): Base[] {
    const bases = new Map<string, Base>();
    for (let alternative = 0; alternative < this.#alternatives(); alternative += 1) {
      for (const [properties, bound] of WAYS) {
        const wish: Wish = { ...TYPICAL, properties, bound, alternative };
        const value = this.#validValue(wish);
        if (value === undefined) continue;
        const text = canonicalText(value);
        if (!bases.has(text)) bases.set(text, { value, wish });
      }
    }
    return [...bases.values()];
  }

  /** A valid value that was made as is wished. */
  #validValue(wish: Wish): JsonValue | undefined {
    const key = `${wish.properties} ${wish.bound} ${wish.alternative}`;
    if (!this.#values.has(key)) this.#values.set(key, this.#validValueAt(wish, []));
    return this.#values.get(key);
  }

  /** One that has something at a path. */
  #validValueAt(wish: Wish, path: SchemaPath): JsonValue | undefined {
    const value = this.#builder.build([this.#study.root, reaching(path)], wish);
    return value !== undefined && this.#study.accepts(value) ? value : undefined;
  }

  /** How many alternatives are worth trying. */
  #alternatives(): number {
    return (this.#knownAlternatives ??= this.#countAlternatives());
  }

  /** The most that one subschema offers. */
  #countAlternatives(): number {
    let most = 1;
    for (const schema of this.#study.paths.keys()) {
      for (const list of [schema["anyOf"], schema["oneOf"], schema["type"]]) {
        if (Array.isArray(list)) most = Math.max(most, list.length);
      }
      if (Object.hasOwn(schema, "if")) most = Math.max(most, 2);
    }
    return Math.min(most, MAXIMUM_ALTERNATIVES);
  }

  mock(): JsonValue | undefined {
    for (const [properties, bound] of [["all", "typical"] as const, ...WAYS]) {
      for (let alternative = 0; alternative < this.#alternatives(); alternative += 1) {
        const value = this.#validValue({ ...TYPICAL, properties, bound, alternative });
        if (value !== undefined) return value;
      }
    }
    return undefined;
  }

  /** Notes for each subschema where in a valid value it speaks. */
  #visit(schemas: readonly JsonSchema[], value: JsonValue, path: SchemaPath, base: Base): void {
    const inForce = this.#places.inForce(schemas, base.wish.alternative) ?? [];
    for (const schema of inForce) {
      const sites = this.#sites.get(schema) ?? [];
      if (sites.length < MAXIMUM_SITES) sites.push({ base, path, schemas: inForce, value });
      this.#sites.set(schema, sites);
    }
    if (Array.isArray(value)) {
      const items = value.slice(0, prefixLength(inForce) + 1);
      for (const [index, item] of items.entries()) {
        this.#visit(itemSchemas(inForce, index), item, [...path, index], base);
      }
    } else if (isJsonObject(value)) {
      for (const [name, member] of Object.entries(value)) {
        this.#visit(propertySchemas(inForce, name), member, [...path, name], base);
      }
    }
  }

  breaking(): Pick<Instances, "breaking" | "leftOut"> {
    for (const base of this.#bases) this.#visit([this.#study.root], base.value, [], base);
    const breaking: BreakingInstance[] = [];
    const leftOut: LeftOutConstraint[] = [];
    for (const [schema, path] of this.#study.paths) {
      for (const constraint of constraintsOf(schema)) {
        const pointer = pointerOf(path, constraint);
        const found = breaking.length < MAXIMUM_BREAKING ? this.#break(constraint) : TOO_MANY;
        if (typeof found === "string") {
          leftOut.push({ constraint: pointer, reason: found });
          continue;
        }
        const values = [found.value, ...this.#furtherBreaking(constraint)];
        const different = new Map(values.map((value) => [canonicalText(value), value]));
        for (const value of different.values()) breaking.push({ constraint: pointer, value });
      }
    }
    return { breaking, leftOut };
  }

  /** A value that breaks a constraint, or the reason why there is none. */
  #break(constraint: Constraint): { value: JsonValue } | string {
    if (isImpliedType(constraint)) return "`enum` or `const` refuses every such value too";
    const sites = this.#sites.get(constraint.schema);
    if (sites === undefined) return "no valid value that was made reaches it";
    let attempts = Math.min(ATTEMPTS_FOR_ONE, this.#attemptsLeft);
    for (const [frame, site] of this.#framedSites(sites)) {
      for (const candidate of breakingCandidates(site, constraint, this.#builder)) {
        const cost = 1 + Math.floor(site.schemas.length / 16);
        attempts -= cost;
        this.#attemptsLeft -= cost;
        if (attempts < 0) return NONE_FOUND;
        if (candidate === undefined) continue;
        const value = replaceAt(frame, site.path, candidate);
        if (isSmall(value) && this.#isBroken(value, constraint)) return { value };
      }
    }
    return NONE_FOUND;
  }

  /** More values that break a constraint, where one says little of how it is checked. */
  *#furtherBreaking(constraint: Constraint): Generator<JsonValue> {
    const [first] = this.#framedSites(this.#sites.get(constraint.schema) ?? []);
    if (first === undefined) return;
    const [frame, site] = first;
    for (const candidate of tellingValues(site, constraint)) {
      const value = replaceAt(frame, site.path, candidate);
      if (this.#isBroken(value, constraint)) yield value;
    }
  }

  /** The sites, each in the valid values around it. */
  *#framedSites(sites: readonly PlacedSite[]): Generator<[JsonValue, PlacedSite]> {
    if (this.#attemptsLeft <= 0) return;
    for (const site of sites) {
      for (const frame of this.#framesAround(site)) {
        yield [frame, { ...site, value: valueAt(frame, site.path) }];
      }
    }
  }

  /** Valid values to put candidates into: the smallest that reaches the site first, since it reads best. */
  #framesAround(site: PlacedSite): JsonValue[] {
    const { base, path } = site;
    site.smallest ??= this.#smallestAt(path, base.wish.alternative);
    return site.smallest === undefined ? [base.value] : [site.smallest, base.value];
  }

  /** The smallest valid value that has something at a path; mostly, that is the smallest of all. */
  #smallestAt(path: SchemaPath, alternative: number): JsonValue | undefined {
    const wish: Wish = { ...TYPICAL, properties: "required", alternative };
    const smallest = this.#validValue(wish);
    if (smallest !== undefined && isMemberPath(path) && reaches(smallest, path)) return smallest;
    return this.#validValueAt(wish, path);
  }

  #isBroken(value: JsonValue, { schema, keyword }: Constraint): boolean {
    return this.#study.isBrokenOnlyBy(value, schema, keyword);
  }
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

function pointerOf(path: SchemaPath, { keyword, entry }: Constraint): string {
  const segments = [...path, keyword, ...(entry === undefined ? [] : [entry])];
  return segments
    .map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

/** A schema of the values that have something at a path. */
function reaching(path: SchemaPath): JsonSchema {
  const [step, ...rest] = path;
  if (step === undefined) return true;
  const inner = reaching(rest);
  if (typeof step === "string") return { required: [step], properties: { [step]: inner } };
  const before = Array.from({ length: step }, () => true);
  return { minItems: step + 1, prefixItems: [...before, inner] };
}

/** Whether a path leads to members of objects alone: asking for an item may make a list longer. */
function isMemberPath(path: SchemaPath): boolean {
  return path.every((step) => typeof step === "string");
}

function reaches(value: JsonValue, path: SchemaPath): boolean {
  let found: JsonValue | undefined = value;
  for (const step of path) {
    if (!isJsonObject(found) || !Object.hasOwn(found, step)) return false;
    found = found[step];
  }
  return true;
}

function valueAt(value: JsonValue, path: SchemaPath): JsonValue {
  let found: JsonValue | undefined = value;
  for (const step of path) {
    if (Array.isArray(found)) found = found[Number(step)];
    else if (isJsonObject(found)) found = found[step];
  }
  return found ?? null;
}

function replaceAt(value: JsonValue, path: SchemaPath, replacement: JsonValue): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === step ? replaceAt(item, rest, replacement) : item));
  }
  if (!isJsonObject(value)) return value;
  return withMember(value, String(step), replaceAt(value[step] ?? null, rest, replacement));
}

/** A copy with one member set; a computed key makes a plain member even of `__proto__`. */
function withMember(object: JsonObject, name: string, value: JsonValue): JsonObject {
  return { ...object, [name]: value };
}

function isSmall(value: JsonValue): boolean {
  if (typeof value === "string") return value.length <= 2 * MAXIMUM_STRING;
  if (typeof value !== "object" || value === null) return true;
  const members = Array.isArray(value) ? value : Object.values(value);
  return members.length <= MAXIMUM_ITEMS && members.every(isSmall);
}
