import type { JsonObject, JsonSchema, JsonValue } from "../../model/json.js";
import type { Finding } from "../finding.js";
import { accepts, interpret } from "../interpret.js";
import { KEYWORDS } from "../keywords/index.js";
import type { SchemaPath } from "../json-schema.js";
import { walkSchema } from "../subschemas.js";
import { reportedFindings, type ReportedFinding } from "../reported-findings.js";

/** A self-contained schema with the paths of its subschemas; finds which keyword refuses a value. */
export class IndexedSchema {
  /** The path of each subschema, by identity; the first one if it occurs several times. */
  readonly paths: ReadonlyMap<JsonObject, SchemaPath>;

  constructor(readonly root: JsonSchema) {
    this.paths = pathsOf(root);
  }

  accepts(value: JsonValue): boolean {
    return accepts(this.root, value);
  }

  /**
   * The first finding that is reported for a value, if this keyword of this subschema is the only reason to refuse it;
   * undefined for all other values.
   */
  refusal(value: JsonValue, schema: JsonObject, keyword: string): ReportedFinding | undefined {
    const findings = interpret(value, this.root);
    const reported = KEYWORDS.get(keyword)?.reportedAs ?? keyword;
    if (!findings.some((finding) => isFrom(finding, schema, reported))) return undefined;
    if (!accepts(this.root, value, { schema, keyword })) return undefined;
    return reportedFindings(findings)[0];
  }
}

/** Whether a finding or a nested one, from a branch that was tried, is about this keyword of this schema. */
function isFrom(finding: Finding, schema: JsonObject, keyword: string): boolean {
  if (finding.schema === schema && finding.keyword === keyword) return true;
  return finding.tried?.flat().some((inner) => isFrom(inner, schema, keyword)) === true;
}

function pathsOf(root: JsonSchema): Map<JsonObject, SchemaPath> {
  const paths = new Map<JsonObject, SchemaPath>();
  for (const [path, schema] of walkSchema(root)) {
    if (typeof schema === "object" && !paths.has(schema)) paths.set(schema, path);
  }
  return paths;
}
