import { commonPostgresType, postgresType } from "../../2-validate/bodies/sql-types.js";
import {
  inputProperties,
  schemaOfProperty,
  typesOfProperty,
} from "../../2-validate/input-properties.js";
import type { DatabaseModel, SqlBodyModel, StatementPart } from "../../model/bodies.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { Manifest, ManifestSqlBody } from "../../model/manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { parseSql, type SqlPart } from "../../text/sql-text.js";
import type { UntypedPlace } from "../../text/sql-untyped.js";
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

/** What a statement needs to know of its item. */
export interface ItemOfStatement {
  /** The schema of a tool's arguments. Absent for items whose arguments are texts, or lists of texts. */
  readonly input?: JsonValue | undefined;
  /** The names of arguments that are lists of texts. */
  readonly lists?: readonly string[];
  /** The schema of a tool's answer. */
  readonly output?: JsonValue | undefined;
  /** The manifest's `schemas`. */
  readonly shared?: JsonObject;
}

/** The model of an `sql` body. */
export function normalizeSql(
  { database, query, ...options }: ManifestSqlBody,
  databases: Databases,
  item: ItemOfStatement = {},
): SqlBodyModel {
  const dialect = databases[database]?.type ?? "postgres";
  const { row = false, write = false } = options;
  const { parts } = parseSql(query.trim(), dialect);
  return {
    kind: "sql",
    ...{ database, dialect, row, write },
    statement: parts.map((part) => (typeof part === "string" ? part : withType(part, item))),
    ...pickDefined(options, ["maxRows", "maxBytes"]),
    numbers: numberColumns(item.output, row, item.shared ?? {}),
  };
}

/**
 * An argument of a statement, with the type that its schema states where its place does not tell it, or where Postgres would
 * guess it.
 */
function withType(
  { argument, untyped, common }: Exclude<SqlPart, string>,
  item: ItemOfStatement,
): StatementPart {
  const typeOf = (name: string, place: UntypedPlace = "any"): string | undefined =>
    typeOfArgument(name, place, item);
  const type =
    untyped !== undefined
      ? typeOf(argument, untyped)
      : common &&
        commonPostgresType(
          typeOf(argument),
          common.names.map((name) => typeOf(name)),
          common.besideNumber,
        );
  return { argument, ...(type !== undefined && { type }) };
}

/** The type of Postgres for an argument, by its schema. */
function typeOfArgument(
  name: string,
  place: UntypedPlace,
  { input, lists = [], shared = {} }: ItemOfStatement,
): string | undefined {
  if (input === undefined) {
    return postgresType(place, [lists.includes(name) ? "array" : "string"], undefined);
  }
  const property = inputProperties(input, shared).get(name);
  const types = property === undefined ? [] : typesOfProperty(property, shared);
  return postgresType(place, types, property && schemaOfProperty(property, shared));
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
