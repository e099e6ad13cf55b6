import type { DatabaseModel, SqlBodyModel } from "../../model/bodies.js";
import { isJsonObject, type JsonValue } from "../../model/json.js";
import type { Manifest, ManifestSqlBody } from "../../model/manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { parseSql } from "../../text/sql-text.js";
import { pickDefined } from "../pick.js";

const USUAL_POOL_SIZE = 4;
const USUAL_TIMEOUT_MS = 10_000;

type Databases = NonNullable<Manifest["databases"]>;

/** `databases` of the manifest, in the order of their names. */
export function normalizeDatabases(databases: Databases): DatabaseModel[] {
  return Object.entries(databases).map(([name, { type, url, file, ...settings }]) => ({
    name,
    type,
    place: (type === "postgres" ? url : file) ?? "",
    poolSize: settings.poolSize ?? USUAL_POOL_SIZE,
    timeoutMs: settings.timeoutMs ?? USUAL_TIMEOUT_MS,
    ...pickDefined(settings, ["testSetup"]),
  }));
}

/** @param output the schema of the tool's answer */
export function normalizeSql(
  { database, query, ...options }: ManifestSqlBody,
  databases: Databases,
  output: JsonValue | undefined,
): SqlBodyModel {
  const dialect = databases[database]?.type ?? "postgres";
  const { row = false, write = false } = options;
  return {
    kind: "sql",
    ...{ database, dialect, row, write },
    statement: parseSql(query.trim(), dialect).parts,
    ...pickDefined(options, ["maxRows"]),
    numbers: numberColumns(output, row),
  };
}

/** The columns that must come out as numbers, which a database may give as exact texts. */
function numberColumns(output: JsonValue | undefined, isRow: boolean): string[] {
  const rows = isJsonObject(output ?? null) ? output : undefined;
  const row = isRow ? rows : ownSchema(rows, "items");
  const columns = ownSchema(row, "properties");
  if (!isJsonObject(columns ?? null)) return [];
  return Object.entries(columns as object).flatMap(([name, schema]) => {
    const types = [isJsonObject(schema as JsonValue) ? ownValue(schema, "type") : undefined].flat();
    const isNumber = types.some((type) => type === "number" || type === "integer");
    return isNumber && !types.includes("string") ? [name] : [];
  });
}

function ownSchema(schema: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(schema ?? null) ? ownValue(schema as never, key) : undefined;
}
