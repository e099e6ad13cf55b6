import { commonPostgresType, postgresType } from "../../2-validate/bodies/sql-types.js";
import {
  inputProperties,
  schemaOfProperty,
  typesOfProperty,
  type InputProperty,
} from "../../2-validate/input-properties.js";
import type { ClaimTypes } from "../../model/auth.js";
import type { DatabaseModel, SqlBodyModel, StatementPart } from "../../model/bodies.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../model/json.js";
import type { Manifest, ManifestSqlBody } from "../../model/manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import type { CommonType } from "../../text/sql-common-type.js";
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
  /** The claims of callers that the manifest declares. */
  readonly claims?: ClaimTypes | undefined;
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
  const types = new ArgumentTypes(item);
  return {
    kind: "sql",
    ...{ database, dialect, row, write },
    statement: parts.map((part): StatementPart => {
      if (typeof part === "string") return part;
      const type = types.ofPart(part);
      return { argument: part.argument, ...(type !== undefined && { type }) };
    }),
    ...pickDefined(options, ["maxRows", "maxBytes"]),
    numbers: numberColumns(item.output, row, item.shared ?? {}),
    ...callerOf(options, item.claims ?? {}),
  };
}

/** What a statement takes of its caller, as a field to spread. */
function callerOf(
  { role, set }: Pick<ManifestSqlBody, "role" | "set">,
  declared: ClaimTypes,
): Pick<SqlBodyModel, "caller"> {
  if (role === undefined && set === undefined) return {};
  const settings = Object.entries(set ?? {});
  const used = [role?.claim ?? [], ...settings.map(([, { claim }]) => claim ?? [])].flat();
  const claims = Object.entries(declared).filter(([name]) => used.includes(name));
  return {
    caller: {
      ...(role !== undefined && { role: { claim: role.claim, oneOf: role.oneOf } }),
      set: settings.map(([name, value]) => [name, pickDefined(value, ["claim"])] as const),
      claims: Object.fromEntries(claims),
    },
  };
}

/** The types of Postgres for the arguments of a statement, by their schemas. */
class ArgumentTypes {
  readonly #item: ItemOfStatement;
  readonly #properties: ReadonlyMap<string, InputProperty>;
  /** The types of parameters that get a common one. */
  readonly #together = new Map<CommonType, ReadonlySet<string | undefined>>();

  constructor(item: ItemOfStatement) {
    this.#item = item;
    this.#properties = inputProperties(item.input, item.shared ?? {});
  }

  /** The type where the place of the parameter does not tell it, or where Postgres would guess it. */
  ofPart({ argument, untyped, common }: Exclude<SqlPart, string>): string | undefined {
    if (untyped !== undefined) return this.#of(argument, untyped);
    if (common === undefined) return undefined;
    const types = this.#together.get(common) ?? new Set(common.names.map((name) => this.#of(name)));
    this.#together.set(common, types);
    return commonPostgresType(this.#of(argument), types, common.besideNumber);
  }

  #of(name: string, place: UntypedPlace = "any"): string | undefined {
    const { input, lists = [], shared = {} } = this.#item;
    if (input === undefined) {
      return postgresType(place, [lists.includes(name) ? "array" : "string"], undefined);
    }
    const property = this.#properties.get(name);
    const types = property === undefined ? [] : typesOfProperty(property, shared);
    return postgresType(place, types, property && schemaOfProperty(property, shared));
  }
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
