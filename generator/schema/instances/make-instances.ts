import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import { dialectOf, type SchemaPath } from "../json-schema.js";
import { KEYWORDS } from "../keywords/index.js";
import { canonicalText, isEqual } from "../values.js";
import { pointerSegment, type ReportedFinding } from "../reported-findings.js";
import { BreakingSite, type Constraint } from "./breaking-site.js";
import { constraintsOf, isImpliedType } from "./constraints.js";
import { InstanceBuilder } from "./instance-builder.js";
import { SchemaResolver } from "./schema-resolver.js";
import { IndexedSchema } from "./indexed-schema.js";
import { SeparateDefinitions, type IsSeparate } from "./separate-definitions.js";
import { Sites, type BaseValue, type SchemaSite } from "./sites.js";
import { MAXIMUM_ITEMS, MAXIMUM_STRING } from "./sizes.js";
import { isMemberPath, reaches, reaching, replaceAt, valueAt } from "./value-paths.js";
import { TYPICAL_REQUEST, type ValueRequest } from "./value-request.js";

/** A value that breaks one constraint of a schema and no other. */
export interface BreakingInstance {
  /** JSON pointer of the keyword, or of its entry: `/properties/days/maximum`, `/required/0`. */
  readonly constraint: string;
  readonly value: JsonValue;
  /** The first finding that callers get for the value. */
  readonly finding: ReportedFinding;
}

/** A constraint for which no breaking value was made. */
export interface LeftOutConstraint {
  readonly constraint: string;
  readonly reason: string;
}

export interface Instances {
  /** Different valid values: first with only required properties, then with all; typical ones and ones at the bounds. */
  readonly valid: readonly JsonValue[];
  readonly breaking: readonly BreakingInstance[];
  readonly leftOut: readonly LeftOutConstraint[];
}

const MAXIMUM_BREAKING = 250;
const MAXIMUM_VALID = 8;
/** Limits of the work for one schema. */
const MAXIMUM_ALTERNATIVES = 4;
/** Where a constraint can be broken alone, one of the first candidates at one of the first sites does it. */
const CANDIDATES_AT_SITE = 6;
const ATTEMPTS_FOR_ONE = 16;
const ATTEMPTS_FOR_ALL = 4_000;

/**
 * Makes valid values of a schema, and for each constraint values that break only this constraint.
 * The interpreter checks every value. The work is limited, and the same schema always gives the same values.
 *
 * @param schema valid and self-contained
 * @param isSeparate true for definitions of the schema that have values of their own. Here, valid values have small parts
 * for these, and only one constraint of each to which the rest of the schema refers is broken.
 */
export function makeInstances(schema: JsonSchema, isSeparate?: IsSeparate): Instances {
  const maker = new InstanceMaker(new IndexedSchema(schema), isSeparate);
  return { valid: maker.valid(), ...maker.breaking() };
}

/** The different valid values of `makeInstances`. */
export function makeValid(schema: JsonSchema): readonly JsonValue[] {
  return new InstanceMaker(new IndexedSchema(schema)).valid();
}

/** A typical valid value, from the schema's examples and defaults if it has any; undefined if none was found. */
export function makeMock(schema: JsonSchema): JsonValue | undefined {
  return new InstanceMaker(new IndexedSchema(schema)).mock();
}

/** The values that were made so far, and the constraints for which there are none. */
interface MadeValues {
  readonly breaking: BreakingInstance[];
  readonly leftOut: LeftOutConstraint[];
}

/** A value that breaks a constraint, and its finding. */
type Violation = Omit<BreakingInstance, "constraint">;

class InstanceMaker {
  readonly #schema: IndexedSchema;
  readonly #builder: InstanceBuilder;
  /** Undefined where the other one makes such parts. */
  readonly #builderOfWholeParts: InstanceBuilder | undefined;
  /** Valid values by the key of their request. */
  readonly #values = new Map<string, JsonValue | undefined>();
  #cachedSites: Sites | undefined;
  #cachedBases: readonly BaseValue[] | undefined;
  #alternativeCount: number | undefined;
  readonly #resolver: SchemaResolver;
  #attemptsLeft = ATTEMPTS_FOR_ALL;

  readonly #isSeparate: IsSeparate;

  constructor(schema: IndexedSchema, isSeparate?: IsSeparate) {
    this.#schema = schema;
    this.#isSeparate = isSeparate ?? (() => false);
    this.#resolver = new SchemaResolver(schema.root, dialectOf(schema.root));
    this.#builder = new InstanceBuilder(this.#resolver, isSeparate);
    this.#builderOfWholeParts = isSeparate && new InstanceBuilder(this.#resolver);
  }

  valid(): readonly JsonValue[] {
    return this.#bases.slice(0, MAXIMUM_VALID).map(({ value }) => value);
  }

  get #sites(): Sites {
    return (this.#cachedSites ??= new Sites(this.#schema.root, this.#bases, this.#resolver));
  }

  get #bases(): readonly BaseValue[] {
    return (this.#cachedBases ??= this.#makeBases());
  }

  #makeBases(): BaseValue[] {
    const bases: BaseValue[] = [];
    for (let alternative = 0; alternative < this.#alternatives(); alternative += 1) {
      // The bounds of what all alternatives share are in values of the first one.
      for (const [properties, bound] of alternative === 0 ? REQUEST_VARIANTS : TYPICAL_VARIANT) {
        if (this.#schema.shareOfWork > 0.5) return bases;
        const request: ValueRequest = { ...TYPICAL_REQUEST, properties, bound, alternative };
        const value = this.#validValue(request);
        if (value === undefined || bases.some((base) => isEqual(base.value, value))) continue;
        bases.push({ value, request });
      }
    }
    return bases;
  }

  /** A valid value as requested; undefined if none was made. */
  #validValue(request: ValueRequest): JsonValue | undefined {
    const key = `${request.properties} ${request.bound} ${request.alternative}`;
    if (!this.#values.has(key)) this.#values.set(key, this.#validValueAt(request, []));
    return this.#values.get(key);
  }

  /** A valid value that has a value at `path`. Where small parts are not valid, parts as requested may be. */
  #validValueAt(request: ValueRequest, path: SchemaPath): JsonValue | undefined {
    const { root } = this.#schema;
    const schemas = path.length === 0 ? [root] : [root, reaching(path)];
    for (const builder of [this.#builder, this.#builderOfWholeParts]) {
      const value = builder?.build(schemas, request);
      if (value !== undefined && this.#schema.accepts(value)) return value;
    }
    return undefined;
  }

  /** The number of alternatives to try: the most branches or types of a subschema, within the limit. */
  #alternatives(): number {
    return (this.#alternativeCount ??= this.#countAlternatives());
  }

  #countAlternatives(): number {
    let most = 1;
    for (const { anyOf, oneOf, type, if: condition } of this.#schema.paths.keys()) {
      if (Array.isArray(anyOf)) most = Math.max(most, anyOf.length);
      if (Array.isArray(oneOf)) most = Math.max(most, oneOf.length);
      if (Array.isArray(type)) most = Math.max(most, type.length);
      if (condition !== undefined) most = Math.max(most, 2);
    }
    return Math.min(most, MAXIMUM_ALTERNATIVES);
  }

  mock(): JsonValue | undefined {
    for (const [properties, bound] of [["all", "typical"] as const, ...REQUEST_VARIANTS]) {
      for (let alternative = 0; alternative < this.#alternatives(); alternative += 1) {
        const value = this.#validValue({ ...TYPICAL_REQUEST, properties, bound, alternative });
        if (value !== undefined) return value;
      }
    }
    return undefined;
  }

  breaking(): Pick<Instances, "breaking" | "leftOut"> {
    const { root, paths } = this.#schema;
    const definitions = new SeparateDefinitions(root, paths, this.#isSeparate);
    const made: MadeValues = { breaking: [], leftOut: [] };
    for (const [schema, path] of definitions.subschemas()) this.#breakEach(schema, path, made);
    for (const name of definitions.referredBy()) {
      if (this.#breakDefinition(name, definitions, made) !== "unbroken") continue;
      made.leftOut.push({ constraint: pointerOf(["$defs", name]), reason: NONE_FOUND });
    }
    return made;
  }

  /**
   * Adds one value that breaks a constraint of a separate definition, or of one to which it refers if it has none itself.
   * @param tried the definitions that were tried before
   */
  #breakDefinition(
    name: string,
    definitions: SeparateDefinitions,
    made: MadeValues,
    tried = new Set<string>(),
  ): "broken" | "unbroken" | "unconstrained" {
    tried.add(name);
    const subschemas = definitions.subschemas(name);
    if (subschemas.some(([schema, path]) => this.#breakOne(schema, path, made))) return "broken";
    const others = definitions.referredBy(name).filter((other) => !tried.has(other));
    const outcomes = new Set<string>();
    for (const other of others) {
      outcomes.add(this.#breakDefinition(other, definitions, made, tried));
      if (outcomes.has("broken")) return "broken";
    }
    const isOpen = subschemas.every(([schema]) => constraintsOf(schema).length === 0);
    return isOpen && !outcomes.has("unbroken") ? "unconstrained" : "unbroken";
  }

  /** Adds values for each constraint of a subschema. */
  #breakEach(schema: JsonObject, path: SchemaPath, { breaking, leftOut }: MadeValues): void {
    for (const constraint of constraintsOf(schema)) {
      const pointer = pointerOf([...path, ...segmentsOf(constraint)]);
      const found = this.#violationsWithin(breaking.length, constraint);
      if (typeof found === "string") leftOut.push({ constraint: pointer, reason: found });
      else for (const violation of found) breaking.push({ constraint: pointer, ...violation });
    }
  }

  /** Adds one value that breaks a constraint of a subschema. @returns whether there is one */
  #breakOne(schema: JsonObject, path: SchemaPath, { breaking }: MadeValues): boolean {
    if (breaking.length >= MAXIMUM_BREAKING) return false;
    for (const constraint of constraintsOf(schema)) {
      const violation = isImpliedType(constraint) ? undefined : this.#firstViolation(constraint);
      if (violation === undefined) continue;
      breaking.push({ constraint: pointerOf([...path, ...segmentsOf(constraint)]), ...violation });
      return true;
    }
    return false;
  }

  /** Does what `violationsOf` does within the limits of what is made of one schema. */
  #violationsWithin(count: number, constraint: Constraint): Violation[] | string {
    if (count >= MAXIMUM_BREAKING) return TOO_MANY;
    if (this.#isExhausted) return TOO_COSTLY;
    const found = this.#violationsOf(constraint);
    return found === NONE_FOUND && this.#isExhausted ? TOO_COSTLY : found;
  }

  /** Values that break a constraint, or the reason why none was made. */
  #violationsOf(constraint: Constraint): Violation[] | string {
    if (isImpliedType(constraint)) return "`enum` or `const` refuses every such value too";
    const { breaking } = KEYWORDS.get(constraint.keyword) ?? {};
    const rule = constraint.schema[constraint.keyword] ?? null;
    if (breaking?.isBeyondReach?.(rule) === true) return NONE_FOUND;
    if (this.#sites.at(constraint.schema, 0) === undefined) {
      return "no valid value that was made reaches it";
    }
    const first = this.#firstViolation(constraint);
    if (first === undefined) return NONE_FOUND;
    const further = this.#furtherViolations(constraint);
    if (further.length === 0) return [first];
    const violations = [first, ...further];
    return [...new Map(violations.map((one) => [canonicalText(one.value), one])).values()];
  }

  #firstViolation(constraint: Constraint): Violation | undefined {
    let attempts = ATTEMPTS_FOR_ONE;
    for (const frame of this.#framesOf(constraint.schema)) {
      const cost = 1 + Math.floor(frame.schemas.length / 16);
      let candidatesLeft = CANDIDATES_AT_SITE;
      for (const candidate of this.#candidates(frame, constraint)) {
        attempts -= cost;
        this.#attemptsLeft -= cost;
        candidatesLeft -= 1;
        if (attempts < 0 || this.#isExhausted) return undefined;
        if (candidatesLeft < 0) break;
        if (candidate === undefined) continue;
        const violation = this.#violationBy(frame, candidate, constraint);
        if (violation !== undefined && isSmall(violation.value)) return violation;
      }
    }
    return undefined;
  }

  get #isExhausted(): boolean {
    return this.#attemptsLeft <= 0 || this.#schema.shareOfWork === 1;
  }

  #candidates(frame: Frame, constraint: Constraint): Iterable<JsonValue | undefined> {
    const { breaking } = KEYWORDS.get(constraint.keyword) ?? {};
    const value = valueAt(frame.whole, frame.path);
    const site = new BreakingSite(value, frame.schemas, constraint, this.#builder);
    return breaking?.candidates(site) ?? [];
  }

  /** More values that break a constraint, for keywords of which one value tests only a part. */
  #furtherViolations(constraint: Constraint): Violation[] {
    const [frame] = this.#isExhausted ? [] : this.#framesOf(constraint.schema);
    const { breaking } = KEYWORDS.get(constraint.keyword) ?? {};
    if (frame === undefined || breaking?.furtherValues === undefined) return [];
    const rule = constraint.schema[constraint.keyword] ?? null;
    return breaking
      .furtherValues(rule, valueAt(frame.whole, frame.path))
      .flatMap((candidate) => this.#violationBy(frame, candidate, constraint) ?? []);
  }

  /** The valid instances, with a path in each, in which candidates for a subschema can be placed. */
  *#framesOf(schema: JsonObject): Generator<Frame> {
    for (let index = 0; ; index += 1) {
      const site = this.#sites.at(schema, index);
      if (site === undefined) return;
      const { path, schemas, base } = site;
      const smallest = this.#smallestAt(site);
      // The smallest instance is the easiest to read.
      if (smallest !== undefined) yield { path, schemas, whole: smallest };
      yield { path, schemas, whole: base.value };
    }
  }

  /** The smallest valid instance that has a value at the path of the site. */
  #smallestAt(site: SchemaSite): JsonValue | undefined {
    site.smallest ??= { value: this.#makeSmallest(site) };
    return site.smallest.value;
  }

  #makeSmallest({ base, path }: SchemaSite): JsonValue | undefined {
    const request: ValueRequest = {
      ...TYPICAL_REQUEST,
      properties: "required",
      alternative: base.request.alternative,
    };
    const smallest = this.#validValue(request);
    const reachesSite = smallest !== undefined && isMemberPath(path) && reaches(smallest, path);
    return reachesSite ? smallest : this.#validValueAt(request, path);
  }

  /** The instance with `candidate` at the path, if it breaks the constraint and nothing else. */
  #violationBy(
    { whole, path }: Frame,
    candidate: JsonValue,
    { schema, keyword }: Constraint,
  ): Violation | undefined {
    const value = replaceAt(whole, path, candidate);
    const finding = this.#schema.refusal(value, schema, keyword);
    return finding && { value, finding };
  }
}

/** A valid instance, and the path in it at which candidates are placed. */
interface Frame {
  readonly path: SchemaPath;
  /** All schemas that apply at the path. */
  readonly schemas: readonly JsonObject[];
  readonly whole: JsonValue;
}

/** Whether a value is short enough to be shown to people. */
function isSmall(value: JsonValue): boolean {
  if (typeof value === "string") return value.length <= 2 * MAXIMUM_STRING;
  if (typeof value !== "object" || value === null) return true;
  const members = Array.isArray(value) ? value : Object.values(value);
  return members.length <= MAXIMUM_ITEMS && members.every(isSmall);
}

const TOO_MANY = `more than ${MAXIMUM_BREAKING} constraints`;
const TOO_COSTLY = "values of this schema take more work than is done for one schema";
const NONE_FOUND = "no value was found that breaks this and nothing else";

const REQUEST_VARIANTS = [
  ["required", "typical"],
  ["required", "low"],
  ["all", "low"],
  ["all", "high"],
  ["all", "typical"],
] as const;

const TYPICAL_VARIANT = [["all", "typical"]] as const;

/** The path of a constraint within its schema. */
function segmentsOf({ keyword, entry }: Constraint): SchemaPath {
  return entry === undefined ? [keyword] : [keyword, entry];
}

function pointerOf(path: SchemaPath): string {
  let pointer = "";
  for (const step of path) pointer += pointerSegment(String(step));
  return pointer;
}
