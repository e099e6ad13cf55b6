import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { assertionsOf, type Assertion } from "./assertions.js";
import { movedBelow, type Finding } from "./finding.js";
import { dialectOf, type Dialect } from "./json-schema.js";
import type { Attempt, Checking, FindingDetails } from "./keywords/definition.js";
import { resolveReference, type SharedSchemas } from "./schema-reference.js";
import type { SharedWork } from "./shared-work.js";

/** The most nested schemas and references on the way into a value; more could overflow the stack. */
const MAX_DEPTH = 300;
/** The most schemas that are checked for one value, each time counted. */
const MAX_READINGS = 300_000;

/** A keyword of a schema that the check ignores. */
export interface OmittedKeyword {
  readonly schema: JsonObject;
  readonly keyword: string;
}

export interface InterpretOptions {
  /** The manifest's `schemas`; not needed for a self-contained schema. */
  readonly shared?: SharedSchemas;
  readonly omitted?: OmittedKeyword | undefined;
  /** The work budget that several values share; by default, each value has a budget of its own. */
  readonly work?: SharedWork;
}

/**
 * Checks a value against a schema as the specifications of JSON Schema say, without compiling it. The schema must be
 * valid.
 *
 * @param root the schema from whose root the references of `schema` are resolved
 * @returns the findings; empty if the value fits, and one finding `depth` or `cost` if the check was given up
 */
export function interpret(
  value: JsonValue,
  schema: JsonSchema,
  root: JsonSchema = schema,
  { shared = () => undefined, omitted, work }: InterpretOptions = {},
): readonly Finding[] {
  const most = work?.left ?? MAX_READINGS;
  const reading = new Reading(shared, omitted, most, work?.total ?? most);
  try {
    return reading.read(value, schema, root).findings;
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error;
    return [error.finding];
  } finally {
    work?.spend(most - reading.readingsLeft);
  }
}

/** True if a self-contained schema accepts a value. */
export function accepts(schema: JsonSchema, value: JsonValue, omitted?: OmittedKeyword): boolean {
  const options = omitted === undefined ? {} : { omitted };
  return interpret(value, schema, schema, options).length === 0;
}

/** True if a value fits one keyword, which has no subschemas and depends on no other keyword. */
export function meets(value: JsonValue, assertion: Assertion): boolean {
  const node = new NodeReading(withoutSubschemas, value, NO_KEYWORDS, true);
  node.check(assertion);
  return node.fits;
}

/** Ends a check that costs too much. It ends at once, since branching schemas could go on almost without end. */
class TooCostly extends Error {
  constructor(readonly finding: Finding) {
    super("the value cannot be checked");
  }
}

/** Cached attempts, by the root, the schema and the value: several alternatives may make the same attempt. */
type Attempts = Map<JsonSchema, Map<JsonSchema, Map<JsonValue, Attempt>>>;

/** The check of one value against one schema, subschemas included. */
class Reading {
  levels = 0;
  readonly #attempts: Attempts = new Map();

  constructor(
    readonly shared: SharedSchemas,
    readonly omitted: OmittedKeyword | undefined,
    public readingsLeft: number,
    private readonly maxReadings: number,
  ) {}

  read(value: JsonValue, schema: JsonSchema, root: JsonSchema): Attempt {
    this.readingsLeft -= 1;
    this.#bound("depth", this.levels >= MAX_DEPTH, MAX_DEPTH, value, schema);
    this.#bound("cost", this.readingsLeft < 0, this.maxReadings, value, schema);
    if (schema === true) return ACCEPTED;
    if (schema === false) return refused(value);
    this.levels += 1;
    const node = new NodeReading(this, value, schema, root);
    node.run();
    this.levels -= 1;
    return node;
  }

  #bound(
    keyword: "depth" | "cost",
    isReached: boolean,
    rule: number,
    value: JsonValue,
    schema: JsonSchema,
  ): void {
    if (!isReached) return;
    const message = "is too deep or too costly to be checked";
    throw new TooCostly({ path: [], value, schema, keyword, rule, message });
  }

  /** Does what `read` does, and caches the result for objects and arrays. */
  attempt(value: JsonValue, schema: JsonSchema, root: JsonSchema): Attempt {
    if (typeof value !== "object" || value === null) return this.read(value, schema, root);
    const attempts = this.#attemptsAt(schema, root);
    const attempt = attempts.get(value) ?? this.read(value, schema, root);
    attempts.set(value, attempt);
    return attempt;
  }

  #attemptsAt(schema: JsonSchema, root: JsonSchema): Map<JsonValue, Attempt> {
    let ofRoot = this.#attempts.get(root);
    if (ofRoot === undefined) this.#attempts.set(root, (ofRoot = new Map()));
    let ofSchema = ofRoot.get(schema);
    if (ofSchema === undefined) ofRoot.set(schema, (ofSchema = new Map()));
    return ofSchema;
  }
}

/** One object, since what is known of each schema is kept. */
const NO_KEYWORDS: JsonObject = {};

/** The reading of values by keywords that apply no schema, so that it keeps nothing. */
const withoutSubschemas = new Reading(() => undefined, undefined, MAX_READINGS, MAX_READINGS);

const NO_FINDINGS: readonly Finding[] = [];

const NONE_EVALUATED: ReadonlySet<string | number> = new Set();

const ACCEPTED: Attempt = { fits: true, findings: [], evaluated: NONE_EVALUATED };

function refused(value: JsonValue): Attempt {
  const message = "boolean schema is false";
  const finding = { path: [], value, schema: false, keyword: "false schema", rule: false, message };
  return { fits: false, findings: [finding], evaluated: NONE_EVALUATED };
}

/** The check of one value against one schema that is no boolean. */
class NodeReading implements Checking, Attempt {
  readonly dialect: Dialect;
  /** Undefined until there is one: most values fit. */
  #findings: Finding[] | undefined;
  /** Undefined until there is one: most values are neither objects nor arrays. */
  #evaluated: Set<string | number> | undefined;
  /** The keyword that is being checked. */
  #current: Assertion | undefined;

  constructor(
    private readonly reading: Reading,
    private readonly value: JsonValue,
    readonly schema: JsonObject,
    private readonly root: JsonSchema,
  ) {
    this.dialect = dialectOf(root);
  }

  get findings(): readonly Finding[] {
    return this.#findings ?? NO_FINDINGS;
  }

  get fits(): boolean {
    return this.#findings === undefined;
  }

  get evaluated(): ReadonlySet<string | number> {
    return this.#evaluated ?? NONE_EVALUATED;
  }

  run(): void {
    for (const assertion of assertionsOf(this.schema, this.dialect)) {
      if (!this.#isOmitted(assertion.definition.name)) this.check(assertion);
    }
  }

  check(assertion: Assertion): void {
    this.#current = assertion;
    assertion.definition.check?.(this.value, assertion.rule, this);
  }

  #isOmitted(keyword: string): boolean {
    const { omitted } = this.reading;
    return omitted?.schema === this.schema && omitted.keyword === keyword;
  }

  beside(keyword: string): JsonValue | undefined {
    if (this.#isOmitted(keyword)) return undefined;
    const assertions = assertionsOf(this.schema, this.dialect);
    return assertions.find(({ definition }) => definition.name === keyword)?.rule;
  }

  report(message: string, details: FindingDetails = {}): void {
    const { definition, rule = null } = this.#current ?? {};
    const { value, schema } = this;
    const keyword = definition?.name ?? "";
    this.#add({ path: [], value, schema, keyword, rule, message, ...details });
  }

  apply(schema: JsonSchema): void {
    this.#join(this.reading.read(this.value, schema, this.root));
  }

  applyReference(reference: string): void {
    const target = resolveReference(this.root, reference, this.reading.shared);
    if (target === undefined) throw new Error(`the reference ${reference} leads nowhere`);
    this.#join(this.reading.read(this.value, target.schema, target.root));
  }

  applyWithin(step: string | number, schema: JsonSchema): void {
    this.#noteEvaluated(step);
    const { findings } = this.reading.read(memberAt(this.value, step), schema, this.root);
    for (const finding of findings) this.#add(movedBelow([step], finding));
  }

  #add(finding: Finding): void {
    (this.#findings ??= []).push(finding);
  }

  /** Adds what another schema found of the same value. */
  #join({ findings, evaluated }: Attempt): void {
    for (const finding of findings) this.#add(finding);
    this.evaluate(evaluated);
  }

  attempt(schema: JsonSchema, value: JsonValue = this.value): Attempt {
    return this.reading.attempt(value, schema, this.root);
  }

  evaluate(steps: Iterable<string | number>): void {
    for (const step of steps) this.#noteEvaluated(step);
  }

  #noteEvaluated(step: string | number): void {
    (this.#evaluated ??= new Set()).add(step);
  }
}

function memberAt(value: JsonValue, step: string | number): JsonValue {
  if (Array.isArray(value)) return value[Number(step)] ?? null;
  return (isJsonObject(value) ? value[step] : undefined) ?? null;
}
