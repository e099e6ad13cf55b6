import { isJsonObject, type JsonObject, type JsonSchema, type JsonValue } from "../model/json.js";
import { assertionsOf, type Assertion } from "./assertions.js";
import type { Finding, ValuePath } from "./finding.js";
import { dialectOf, type Dialect } from "./json-schema.js";
import type { Attempt, Checking, FindingDetails } from "./keywords/definition.js";
import { resolveReference, type SharedSchemas } from "./schema-reference.js";
import type { SharedWork } from "./shared-work.js";

/** Schemas within schemas and references, all the way into a value: what the stack bears. */
const DEEPEST = 300;
/** Schemas that are held against one value. */
const MOST_READINGS = 300_000;

/** A keyword of a schema that is passed over, as if it were not there. */
export interface OmittedKeyword {
  readonly schema: JsonObject;
  readonly keyword: string;
}

export interface InterpretOptions {
  /** The manifest's own schemas; none where the schema is self-contained. */
  readonly shared?: SharedSchemas;
  readonly without?: OmittedKeyword;
  /** What the work is taken from; without it, each value has a bound of its own. */
  readonly work?: SharedWork;
}

/**
 * What a schema finds of a value, as the specifications say; empty where it fits. Nothing is compiled. For schemas in
 * which no error was found.
 *
 * @param root the schema within which the references of `schema` are read
 * @returns only `depth` or `cost` where schemas lead too far into the value, or too often
 */
export function interpret(
  value: JsonValue,
  schema: JsonSchema,
  root: JsonSchema = schema,
  { shared = () => undefined, without, work }: InterpretOptions = {},
): readonly Finding[] {
  const most = work?.left ?? MOST_READINGS;
  const reading = new Reading(shared, without, most, work?.total ?? most);
  try {
    return reading.read(value, schema, root).found;
  } catch (error) {
    if (!(error instanceof TooCostly)) throw error;
    return [error.finding];
  } finally {
    work?.spend(most - reading.readingsLeft);
  }
}

/** Whether a self-contained schema accepts a value. */
export function accepts(schema: JsonSchema, value: JsonValue, without?: OmittedKeyword): boolean {
  const options = without === undefined ? {} : { without };
  return interpret(value, schema, schema, options).length === 0;
}

/** Whether a value meets a keyword that stands alone, and holds no schemas. */
export function meets(value: JsonValue, assertion: Assertion): boolean {
  const reading = new Reading(() => undefined, undefined, MOST_READINGS, MOST_READINGS);
  const node = new NodeReading(reading, value, {}, true);
  node.check(assertion);
  return node.fits;
}

/** Ends a reading that costs too much, at once: where schemas branch, going on would never end. */
class TooCostly extends Error {
  constructor(readonly finding: Finding) {
    super("the value cannot be checked");
  }
}

/** What came of schemas by the root, the schema and the value: alternatives ask the same again. */
type Attempts = Map<JsonSchema, Map<JsonSchema, Map<JsonValue, Attempt>>>;

/** One value held against one schema, with all that this leads to. */
class Reading {
  levels = 0;
  readonly #attempts: Attempts = new Map();

  constructor(
    readonly shared: SharedSchemas,
    readonly without: OmittedKeyword | undefined,
    public readingsLeft: number,
    private readonly mostReadings: number,
  ) {}

  read(value: JsonValue, schema: JsonSchema, root: JsonSchema): Attempt {
    this.readingsLeft -= 1;
    this.#bound("depth", this.levels >= DEEPEST, DEEPEST, value, schema);
    this.#bound("cost", this.readingsLeft < 0, this.mostReadings, value, schema);
    if (schema === true) return NOTHING;
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

  /** The same, remembered. */
  attempt(value: JsonValue, schema: JsonSchema, root: JsonSchema): Attempt {
    if (typeof value !== "object" || value === null) return this.read(value, schema, root);
    const attempts = this.#attemptsAt(schema, root);
    const attempt = attempts.get(value) ?? this.read(value, schema, root);
    attempts.set(value, attempt);
    return attempt;
  }

  #attemptsAt(schema: JsonSchema, root: JsonSchema): Map<JsonValue, Attempt> {
    const ofRoot = this.#attempts.get(root) ?? new Map<JsonSchema, Map<JsonValue, Attempt>>();
    const ofSchema = ofRoot.get(schema) ?? new Map<JsonValue, Attempt>();
    this.#attempts.set(root, ofRoot.set(schema, ofSchema));
    return ofSchema;
  }
}

const NOTHING: Attempt = { fits: true, found: [], evaluated: new Set() };

function refused(value: JsonValue): Attempt {
  const message = "boolean schema is false";
  const finding = { path: [], value, schema: false, keyword: "false schema", rule: false, message };
  return { fits: false, found: [finding], evaluated: new Set() };
}

/** One value held against one schema that is no boolean. */
class NodeReading implements Checking, Attempt {
  readonly found: Finding[] = [];
  readonly evaluated = new Set<string | number>();
  readonly dialect: Dialect;
  /** The keyword that is checked now. */
  #current: Assertion | undefined;

  constructor(
    private readonly reading: Reading,
    private readonly value: JsonValue,
    readonly schema: JsonObject,
    private readonly root: JsonSchema,
  ) {
    this.dialect = dialectOf(root);
  }

  get fits(): boolean {
    return this.found.length === 0;
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
    const { without } = this.reading;
    return without?.schema === this.schema && without.keyword === keyword;
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
    this.found.push({ path: [], value, schema, keyword, rule, message, ...details });
  }

  apply(schema: JsonSchema): void {
    this.#join(this.reading.read(this.value, schema, this.root), []);
  }

  applyReference(reference: string): void {
    const target = resolveReference(this.root, reference, this.reading.shared);
    if (target === undefined) throw new Error(`the reference ${reference} leads nowhere`);
    this.#join(this.reading.read(this.value, target.schema, target.root), []);
  }

  applyWithin(step: string | number, schema: JsonSchema): void {
    this.evaluated.add(step);
    const { found } = this.reading.read(memberAt(this.value, step), schema, this.root);
    for (const finding of found) this.found.push({ ...finding, path: [step, ...finding.path] });
  }

  #join({ found, evaluated }: Attempt, path: ValuePath): void {
    for (const finding of found) this.found.push({ ...finding, path: [...path, ...finding.path] });
    this.evaluate(evaluated);
  }

  attempt(schema: JsonSchema, value: JsonValue = this.value): Attempt {
    return this.reading.attempt(value, schema, this.root);
  }

  evaluate(steps: Iterable<string | number>): void {
    for (const step of steps) this.evaluated.add(step);
  }
}

function memberAt(value: JsonValue, step: string | number): JsonValue {
  if (Array.isArray(value)) return value[Number(step)] ?? null;
  return (isJsonObject(value) ? value[step] : undefined) ?? null;
}
