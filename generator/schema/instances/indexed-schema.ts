import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import type { Finding } from "../finding.js";
import { interpret, type OmittedKeyword } from "../interpret.js";
import { KEYWORDS } from "../keywords/index.js";
import type { SchemaPath } from "../json-schema.js";
import { SharedWork } from "../shared-work.js";
import { resolveReference } from "../schema-reference.js";
import { subschemasOf, walkSchema } from "../subschemas.js";
import { reportedFindings, type ReportedFinding } from "../reported-findings.js";

/** The most schemas that are checked for all values that are made of one schema, each time counted. */
const MAXIMUM_WORK = 40_000;

/** A self-contained schema with the paths of its subschemas; finds which keyword refuses a value. */
export class IndexedSchema {
  /**
   * The path of each subschema that can cause a value to be refused, by identity; the first one if it occurs several
   * times.
   */
  readonly paths: ReadonlyMap<JsonObject, SchemaPath>;
  readonly #work = new SharedWork(MAXIMUM_WORK, 0);

  constructor(readonly root: JsonSchema) {
    this.paths = pathsOf(root);
  }

  /** The share of the work for values of this schema that was done, up to 1. From then on, every value is refused. */
  get shareOfWork(): number {
    return 1 - this.#work.left / MAXIMUM_WORK;
  }

  accepts(value: JsonValue): boolean {
    return this.#findings(value).length === 0;
  }

  /**
   * The first finding that is reported for a value, if this keyword of this subschema is the only reason to refuse it;
   * undefined for all other values.
   */
  refusal(value: JsonValue, schema: JsonObject, keyword: string): ReportedFinding | undefined {
    const findings = this.#findings(value);
    const reported = KEYWORDS.get(keyword)?.reportedAs ?? keyword;
    if (!findings.some((finding) => isFrom(finding, schema, reported))) return undefined;
    if (this.#findings(value, { schema, keyword }).length > 0) return undefined;
    return reportedFindings(findings)[0];
  }

  #findings(value: JsonValue, omitted?: OmittedKeyword): readonly Finding[] {
    return interpret(value, this.root, this.root, { work: this.#work, omitted });
  }
}

/** Whether a finding or a nested one, from a branch that was tried, is about this keyword of this schema. */
function isFrom(finding: Finding, schema: JsonObject, keyword: string): boolean {
  if (finding.schema === schema && finding.keyword === keyword) return true;
  return finding.tried?.flat().some((inner) => isFrom(inner, schema, keyword)) === true;
}

function pathsOf(root: JsonSchema): Map<JsonObject, SchemaPath> {
  const refusing = refusingSchemas(root);
  const paths = new Map<JsonObject, SchemaPath>();
  for (const [path, schema] of walkSchema(root)) {
    if (!refusing.has(schema) || typeof schema !== "object") continue;
    if (!paths.has(schema)) paths.set(schema, path);
  }
  return paths;
}

/** The schemas that apply to a value or to a part of it, except those under keywords that refuse nothing. */
function refusingSchemas(root: JsonSchema): ReadonlySet<JsonSchema> {
  // The loop also visits the schemas that it adds.
  const reached = new Set([root]);
  for (const schema of reached) {
    if (typeof schema === "boolean") continue;
    for (const [[name], subschema] of subschemasOf(schema)) {
      const { isTarget, isVacuous } = KEYWORDS.get(String(name)) ?? {};
      const applies = isTarget !== true && isVacuous?.(schema[String(name)] ?? null) !== true;
      if (applies) reached.add(subschema);
    }
    for (const name of Object.keys(schema)) {
      if (KEYWORDS.get(name)?.isReference !== true) continue;
      const target = resolveReference(root, String(schema[name]), () => undefined);
      if (target !== undefined) reached.add(target.schema);
    }
  }
  return reached;
}
