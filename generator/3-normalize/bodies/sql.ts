import { inputProperties, typesOfProperty } from "../../2-validate/input-properties.js";
import type { DatabaseModel, SqlBodyModel } from "../../model/bodies.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { Manifest, ManifestSqlBody } from "../../model/manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { parseSql } from "../../text/sql-text.js";
import { pickDefined } from "../pick.js";

const USUAL_POOL_SIZE = 4;
const USUAL_TIMEOUT_MS = 10_000;

/** `databases` of the manifest. */
export type Databases = NonNullable<Manifest["databases"]>;

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

/**
 * The model of an `sql` body.
 *
 * @param output the schema of the tool's answer
 * @param shared the manifest's `schemas`
 */
export function normalizeSql(
  { database, query, ...options }: ManifestSqlBody,
  databases: Databases,
  output?: JsonValue,
  shared: JsonObject = {},
): SqlBodyModel {
  const dialect = databases[database]?.type ?? "postgres";
  const { row = false, write = false } = options;
  return {
    kind: "sql",
    ...{ database, dialect, row, write },
    statement: parseSql(query.trim(), dialect).parts,
    ...pickDefined(options, ["maxRows", "maxBytes"]),
    numbers: numberColumns(output, row, shared),
  };
}

/** The columns that the output schema declares as numbers. A database may return such values as exact texts. */
function numberColumns(
  output: JsonValue | undefined,
  isRow: boolean,
  shared: JsonObject,
): string[] {
  const rows = alternatives(output, shared);
  const row = isRow ? rows : rows.flatMap(({ items }) => alternatives(items, shared));
  const columns = row.flatMap((schema) => [...inputProperties(schema, shared)]);
  const numbers = columns.filter(([, column]) => {
    const types = typesOfProperty(column, shared);
    const isNumber = types.includes("number") || types.includes("integer");
    return isNumber && !types.includes("string");
  });
  return [...new Set(numbers.map(([name]) => name))];
}

/** The target of a schema's reference, or the schema itself, and its alternatives in `anyOf` and `oneOf`. */
function alternatives(schema: JsonValue | undefined, shared: JsonObject): JsonObject[] {
  if (!isJsonObject(schema)) return [];
  const name = /^#\/schemas\/(.+)$/.exec(String(schema["$ref"] ?? ""))?.[1];
  const target = name === undefined ? undefined : ownValue(shared, name);
  const others = [schema["anyOf"] ?? [], schema["oneOf"] ?? []].flat();
  return [
    isJsonObject(target) ? target : schema,
    ...others.flatMap((other) => alternatives(other, shared)),
  ];
}
