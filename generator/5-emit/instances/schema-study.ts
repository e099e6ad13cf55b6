import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import { type SchemaPath } from "../../schema/json-schema.js";
import { walkSchema } from "../../schema/subschemas.js";
import { compilePrepared } from "../validators/ajv-compiler.js";
import {
  findingsAt,
  readingValidator,
  type Finding,
  type Purpose,
  type RunningValidator,
} from "../validators/reading-validator.js";
import { isReadable } from "../validators/plain-schema.js";
import { CHECKED_FORMATS } from "../../schema/formats/format-checks.js";
import {
  preparedSchema,
  prepareSchema,
  type PreparedSchema,
} from "../validators/prepare-schema.js";
import { ReferenceGraph } from "./reference-graph.js";

/** How many times one schema may be compiled again, with a keyword taken out. */
const MAXIMUM_RECOMPILATIONS = 12;

/** Keywords whose findings AJV reports under another name. */
const REPORTED_AS: ReadonlyMap<string, string> = new Map([
  ["minContains", "contains"],
  ["maxContains", "contains"],
]);

const ALTERNATIVES: ReadonlySet<string> = new Set(["anyOf", "oneOf"]);

/** What is evaluated by these is no longer up to `unevaluatedItems` and `unevaluatedProperties`. */
const EVALUATING_KEYWORDS: ReadonlySet<string> = new Set([
  ...["items", "additionalItems", "unevaluatedItems", "contains", "anyOf", "oneOf"],
  ...["additionalProperties", "unevaluatedProperties"],
]);

/** A keyword with subschemas; `own` is the one whose findings count. */
interface AlternativeGroup {
  readonly path: SchemaPath;
  readonly own: string | number | undefined;
}

/** A schema with a validator that tells which keyword of which subschema refuses a value. */
export class SchemaStudy {
  readonly root: JsonSchema;
  /** Where each subschema stands, by identity. */
  readonly paths: ReadonlyMap<JsonObject, SchemaPath>;
  readonly #prepared: PreparedSchema;
  readonly #validate: RunningValidator;
  /** The prepared schema of each written one that is in force. */
  #knownPreparedOf: ReadonlyMap<JsonObject, JsonObject> | undefined;
  #knownCallersValidator: RunningValidator | undefined;
  readonly #relaxed = new Map<string, RunningValidator>();
  #knownReferences: ReferenceGraph | undefined;

  constructor(root: JsonSchema) {
    this.root = root;
    this.paths = pathsOf(root);
    this.#prepared = preparedSchema(root);
    this.#validate = validatorFor(this.#prepared, "study");
  }

  get dialect(): PreparedSchema["dialect"] {
    return this.#prepared.dialect;
  }

  /** Whether no reference leads to any subschema, and none depends on what others have evaluated. */
  get isTree(): boolean {
    const { targets, usesUnevaluated } = this.#prepared;
    return targets.size === 0 && !usesUnevaluated;
  }

  /** The validator that finds what callers are told. */
  get #callersValidator(): RunningValidator {
    // Of unions, the study finds more.
    return (this.#knownCallersValidator ??= this.#prepared.hasUnions
      ? validatorFor(this.#prepared, "use")
      : this.#validate);
  }

  get #references(): ReferenceGraph {
    return (this.#knownReferences ??= new ReferenceGraph(this.root));
  }

  accepts(value: JsonValue): boolean {
    return this.#validate(value);
  }

  /** Whether a plain subschema accepts a value. */
  acceptsAt(schema: JsonObject, value: JsonValue): boolean {
    return findingsAt(this.#prepared, this.#preparedFor(schema), value, "", "study").length === 0;
  }

  #preparedFor(schema: JsonObject): JsonObject {
    this.#knownPreparedOf ??= new Map(
      Array.from(this.#prepared.written, ([prepared, written]) => [written, prepared]),
    );
    const prepared = this.#knownPreparedOf.get(schema);
    if (prepared === undefined) throw new Error("a subschema that is in force was not prepared");
    return prepared;
  }

  /**
   * What callers are told first of a value that is refused because of this keyword of this subschema and nothing
   * else; undefined for all other values.
   */
  refusal(value: JsonValue, schema: JsonObject, keyword: string): Finding | undefined {
    if (!this.#isBrokenOnlyBy(value, schema, keyword)) return undefined;
    const validate = this.#callersValidator;
    validate(value);
    return validate.errors?.[0];
  }

  /**
   * The same for a valid value in which one place has been filled anew, where a plain subschema alone decides what may
   * stand there.
   *
   * @param path JSON pointer of the place
   */
  refusalAt(
    path: string,
    value: JsonValue,
    schema: JsonObject,
    keyword: string,
  ): Finding | undefined {
    const prepared = this.#preparedFor(schema);
    const findings = findingsAt(this.#prepared, prepared, value, path, "study");
    const isBroken = findings.every((finding) => this.#isFrom(finding, schema, keyword));
    return isBroken ? findings[0] : undefined;
  }

  #isBrokenOnlyBy(value: JsonValue, schema: JsonObject, keyword: string): boolean {
    if (this.#validate(value)) return false;
    const findings = this.#validate.errors ?? [];
    const others = findings.filter((finding) => !this.#isFrom(finding, schema, keyword));
    if (others.length === findings.length) return false;
    if (this.#findingsSayAll(schema, keyword)) {
      // All keywords are asked, so what nothing else complains about is accepted without this one.
      const groups = this.#alternativesAround(schema, keyword);
      if (others.every((finding) => this.#vanishes(finding, groups))) return true;
      if (!this.#references.isTarget(schema)) return false;
    }
    return this.#without(schema, keyword)?.(value) ?? false;
  }

  /** Whether the findings alone can prove what the schema would say without a keyword. */
  #findingsSayAll(schema: JsonObject, keyword: string): boolean {
    if (REPORTED_AS.has(keyword)) return false;
    if (this.#prepared.usesUnevaluated && EVALUATING_KEYWORDS.has(keyword)) return false;
    return !this.#references.isTarget(schema) || !this.#references.isEntangled(schema);
  }

  /** The alternatives that a keyword stands in, whose findings go where it no longer complains. */
  #alternativesAround(schema: JsonObject, keyword: string): AlternativeGroup[] {
    const path = this.paths.get(schema) ?? [];
    const groups: AlternativeGroup[] = [{ path: [...path, keyword], own: undefined }];
    for (const [index, step] of path.entries()) {
      if (!ALTERNATIVES.has(String(step)) || typeof path[index + 1] !== "number") continue;
      groups.push({ path: path.slice(0, index + 1), own: path[index + 1] });
    }
    return groups;
  }

  #vanishes(finding: Finding, groups: readonly AlternativeGroup[]): boolean {
    const parent = this.paths.get(this.#writtenAt(finding) ?? {});
    if (parent === undefined || Array.isArray(finding.params["passingSchemas"])) return false;
    const path = [...parent, finding.keyword];
    return groups.some(
      (group) =>
        group.path.every((step, index) => step === path[index]) &&
        (path.length === group.path.length || path[group.path.length] !== group.own),
    );
  }

  #isFrom(finding: Finding, schema: JsonObject, keyword: string): boolean {
    return (
      this.#writtenAt(finding) === schema &&
      finding.keyword === (REPORTED_AS.get(keyword) ?? keyword)
    );
  }

  /** The subschema that a finding is from, as it was written; undefined for a boolean one. */
  #writtenAt({ parentSchema }: Finding): JsonObject | undefined {
    return typeof parentSchema === "object" ? this.#prepared.written.get(parentSchema) : undefined;
  }

  /** The validator of the schema without one keyword; undefined where too many were asked for. */
  #without(schema: JsonObject, keyword: string): RunningValidator | undefined {
    const path = [...(this.paths.get(schema) ?? []), keyword];
    const key = JSON.stringify(path);
    const known = this.#relaxed.get(key);
    if (known !== undefined || this.#relaxed.size >= MAXIMUM_RECOMPILATIONS) return known;
    const relaxed = removeAt(this.root, path) as JsonSchema;
    const validate = validatorFor(prepareSchema(relaxed, CHECKED_FORMATS), "use");
    this.#relaxed.set(key, validate);
    return validate;
  }
}

function validatorFor(prepared: PreparedSchema, purpose: Purpose): RunningValidator {
  return isReadable(prepared)
    ? readingValidator(prepared, purpose)
    : compilePrepared(prepared, purpose);
}

function pathsOf(root: JsonSchema): Map<JsonObject, SchemaPath> {
  const paths = new Map<JsonObject, SchemaPath>();
  for (const [path, schema] of walkSchema(root)) {
    if (typeof schema === "object" && !paths.has(schema)) paths.set(schema, path);
  }
  return paths;
}

/** A copy without what stands at a path; shares everything beside the path. */
function removeAt(value: JsonValue, path: SchemaPath): JsonValue {
  const [key = "", ...rest] = path;
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === key ? removeAt(item, rest) : item));
  }
  const entries = Object.entries(value as JsonObject)
    .filter(([name]) => rest.length > 0 || name !== key)
    .map(([name, item]) => [name, name === key ? removeAt(item, rest) : item] as const);
  return Object.fromEntries(entries);
}
