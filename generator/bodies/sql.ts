import type { ClaimTypes } from "../model/auth.js";
import type { SqlBodyModel, StatementPart } from "../model/bodies.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../model/json.js";
import type { ManifestSqlBody } from "../model/manifest.js";
import { pickDefined } from "../model/pick.js";
import {
  inputProperties,
  schemaOfProperty,
  typesOfProperty,
  type InputProperty,
} from "../schema/input-properties.js";
import { ownValue } from "../schema/json-schema.js";
import type { CommonType } from "../text/sql-common-type.js";
import { parseSql, type SqlPart } from "../text/sql-text.js";
import type { UntypedPlace } from "../text/sql-untyped.js";
import { placeBelow } from "../model/change-places.js";
import type { SemanticChange } from "../model/plan.js";
import { defineRule, type ChangePlace } from "../model/semantic-rule.js";
import { callerNamesIn } from "../text/caller-placeholders.js";
import {
  callerNeeded,
  compareSelections,
  comparisonOfKeys,
  neededOfCallers,
  selectionChanged,
} from "./comparison.js";
import type { BodyDefinition, BodyOwner } from "./definition.js";
import { commonPostgresType, postgresType } from "./sql-types.js";

export const statementChanged = defineRule<{ key: string }>({
  id: "statement-changed",
  severity: "warning",
  message: ({ key }) =>
    key === "set"
      ? "the settings of the statement have changed"
      : `the ${key} of the statement has changed`,
});

export const statementWrites = defineRule({
  id: "statement-writes",
  severity: "warning",
  message: () => "the statement could only read, and may change something now",
});

const ROW = { type: "object" };

/** `sql`: a statement for a database. */
export const sql: BodyDefinition<SqlBodyModel, ManifestSqlBody> = {
  words: "a statement of the manifest",
  isSource: true,
  service: "databases",
  starter: "an sql statement",
  read: readStatement,
  selected: ({ row }) => ({ answer: row === true ? ROW : { type: "array", items: ROW } }),
  rules: [statementChanged, statementWrites, callerNeeded, selectionChanged].map(
    ({ rule }) => rule,
  ),
  compare: (former, present, place) => [
    ...compareStatements(former, present, place),
    ...compareSelections(former, present, place),
  ],
};

function readStatement(
  { database, query, ...options }: ManifestSqlBody,
  owner: BodyOwner,
): SqlBodyModel {
  const { databases = {}, shared = {}, claims = {} } = owner;
  const dialect = databases[database]?.type ?? "postgres";
  const { row = false, write = false, select, answerSchema } = options;
  const { parts } = parseSql(query.trim(), dialect);
  const types = new ArgumentTypes(owner);
  const rows = select === undefined ? owner.output : (answerSchema as JsonValue | undefined);
  return {
    kind: "sql",
    ...{ database, dialect, row, write },
    statement: parts.map((part): StatementPart => {
      if (typeof part === "string") return part;
      const type = types.ofPart(part);
      return { argument: part.argument, ...(type !== undefined && { type }) };
    }),
    ...pickDefined(options, ["maxRows", "maxBytes"]),
    numbers: numberColumns(rows, row, shared),
    ...callerOf(options, claims),
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
  readonly #owner: BodyOwner;
  readonly #properties: ReadonlyMap<string, InputProperty>;
  /** The types of parameters that get a common one. */
  readonly #together = new Map<CommonType, ReadonlySet<string | undefined>>();

  constructor(owner: BodyOwner) {
    this.#owner = owner;
    this.#properties = inputProperties(owner.input, owner.shared ?? {});
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
    const { input, lists = [], shared = {} } = this.#owner;
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

const compareTexts = comparisonOfKeys(["database", "query", "role", "set"], statementChanged);

function compareStatements(
  former: ManifestSqlBody,
  present: ManifestSqlBody,
  place: ChangePlace,
): SemanticChange[] {
  const mayWrite = present.write === true && former.write !== true;
  return [
    ...compareTexts(former, present, place),
    ...neededOfCallers(callerNamesIn(former), callerNamesIn(present), place),
    ...(mayWrite ? [statementWrites(placeBelow(place, "write"), {})] : []),
  ];
}
