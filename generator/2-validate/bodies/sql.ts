import {
  limitOfOneRow,
  listAsItem,
  readOnlyWriter,
  rowsMisfit,
  statementForm,
  twoTypes,
  unboundArgument,
  unknownParameter,
  untypedParameter,
  writingQuery,
  writingResource,
} from "../../model/catalogue/sql-bodies.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { isJsonObject, type JsonObject } from "../../model/json.js";
import type { LoadedManifest, ManifestPath } from "../../model/loaded-manifest.js";
import { ownValue } from "../../schema/json-schema.js";
import { nearestName } from "../../text/nearest-name.js";
import { parseSql, type SqlProblem, type SqlText } from "../../text/sql-text.js";
import type { SqlDialect } from "../../text/sql-tokens.js";
import { quoted } from "../../text/value-words.js";
import { has, mappingIn, rootOf, textIn, type Mapping } from "../manifest-view.js";
import { placeInText } from "../source-text.js";
import { excludesType } from "../../schema/keyword-values.js";
import { itemsWithBody, type BodyItem } from "./body-item.js";
import { databaseProblems } from "./databases.js";
import { statementCallerProblems } from "./caller-values.js";
import { answerConflicts } from "./answer-conflicts.js";
import { sourcesWithBody } from "./source-items.js";
import { strictProblems } from "./strict-bodies.js";
import { LIKELY_TYPES, postgresType } from "../../bodies/sql-types.js";

/** Checks `sql` bodies: the database, the statement, its parameters and its rows. */
export function checkSqlBodies(manifest: LoadedManifest): Diagnostic[] {
  // A statement must use the typed text: otherwise its limit of rows can cut off the matching values.
  const sources = sourcesWithBody(manifest, "sql").map((source) => ({
    ...source,
    needed: new Set(source.completed === undefined ? [] : [source.completed]),
  }));
  return [...itemsWithBody(manifest, "sql"), ...sources].flatMap((item) => {
    const { body } = item;
    const name = textIn(body.value, "database");
    return [
      ...databaseProblems(manifest, name, [...body.path, "database"]),
      ...answerConflicts(manifest, item, "sql"),
      ...strictProblems(manifest, item),
      ...statementProblems(manifest, item, name ?? ""),
      ...schemaProblems(manifest, item),
      ...statementCallerProblems(manifest, body, databaseType(manifest, name ?? "")),
    ];
  });
}

/** The most problems that are reported of one query. To find the place of each takes time linear in the text. */
const MOST_PROBLEMS = 100;

const PROBLEM_WORDS: Readonly<Record<SqlProblem["kind"], string>> = {
  unclosed: "has a quote or a comment that does not end",
  secondStatement: "has more than one statement",
  otherParameter: "has a parameter of the database's own, which nothing is bound to: write :name",
  templatePlaceholder: "has a placeholder for a text: in SQL, write :name",
};

function statementProblems(
  manifest: LoadedManifest,
  item: BodyItem,
  database: string,
): Diagnostic[] {
  const { body } = item;
  const query = textIn(body.value, "query");
  if (query === undefined) return [];
  const dialect = databaseType(manifest, database);
  const sql = parseSql(query, dialect);
  const path = [...body.path, "query"];
  const malformed = sql.problems.slice(0, MOST_PROBLEMS).map(({ kind, offset, text }) => {
    const place = placeInText(manifest, path, query, offset, Math.max(text.length, 1));
    return statementForm(place, { problem: PROBLEM_WORDS[kind] });
  });
  if (malformed.length > 0) return malformed;
  const unknown = unknownParameters(manifest, item, sql, path);
  return [
    ...limitProblems(manifest, body),
    ...unknown,
    // An unknown name may be the misspelt name of an argument that seems unbound.
    ...(unknown.length > 0 ? [] : unboundArguments(manifest, item, sql)),
    ...(dialect === "postgres" ? parametersOfTwoTypes(manifest, query, sql, path) : []),
    ...untypedParameters(manifest, item, sql, path),
    ...listsAsItems(manifest, item, sql, dialect),
    ...writeProblems(manifest, item, sql),
  ];
}

function databaseType(manifest: LoadedManifest, name: string): SqlDialect {
  const databases = mappingIn(rootOf(manifest), "databases");
  const type = databases && textIn(mappingIn(databases, name)?.value ?? {}, "type");
  return type === "sqlite" ? "sqlite" : "postgres";
}

/** What stands for `in (:name)` where the parameter is a list, by dialect and operator. */
const LIST_FORMS = {
  postgres: {
    in: (name: string) => `= any(:${name})`,
    "not in": (name: string) => `<> all(:${name})`,
  },
  sqlite: {
    in: (name: string) => `in (select value from json_each(:${name}))`,
    "not in": (name: string) => `not in (select value from json_each(:${name}))`,
  },
};

/** Reports lists that are one item of `in (…)`. A column that is a list itself may be compared with them. */
function listsAsItems(
  manifest: LoadedManifest,
  { body, typesOf }: BodyItem,
  { parameters }: SqlText,
  dialect: SqlDialect,
): Diagnostic[] {
  const query = textIn(body.value, "query") ?? "";
  const lists = parameters.flatMap(({ name, offset, listOf }) => {
    const types = typesOf(name).filter((type) => type !== "null");
    const isList = types.length > 0 && types.every((type) => type === "array");
    return isList && listOf !== undefined ? [{ name, offset, listOf }] : [];
  });
  return lists.slice(0, MOST_PROBLEMS).map(({ name, offset, listOf }) => {
    const place = placeInText(manifest, [...body.path, "query"], query, offset, name.length + 1);
    return listAsItem(place, { name, operator: listOf, form: LIST_FORMS[dialect][listOf](name) });
  });
}

function unknownParameters(
  manifest: LoadedManifest,
  { body, names, what }: BodyItem,
  { parameters }: SqlText,
  path: ManifestPath,
): Diagnostic[] {
  const query = textIn(body.value, "query") ?? "";
  return parameters
    .filter(({ name }) => !names.has(name))
    .slice(0, MOST_PROBLEMS)
    .map(({ name, offset }) => {
      const place = placeInText(manifest, path, query, offset, name.length + 1);
      const nearest = nearestName(name, names);
      const found = quoted(`:${name}`);
      return unknownParameter(place, { found, what, ...(nearest !== undefined && { nearest }) });
    });
}

function unboundArguments(
  manifest: LoadedManifest,
  { body, names, needed = names, what }: BodyItem,
  { parameters }: SqlText,
): Diagnostic[] {
  const query = textIn(body.value, "query") ?? "";
  const path = [...body.path, "query"];
  const bound = new Set(parameters.map(({ name }) => name));
  return [...needed]
    .filter((name) => !bound.has(name))
    .map((name) => {
      const quotedUse = [`{{${name}}}`, `:${name}`].find((text) => isNamedIn(query, text));
      if (quotedUse === undefined) {
        return unboundArgument(manifest.locate(path, "key"), { name, what });
      }
      const place = placeInText(manifest, path, query, query.indexOf(quotedUse), quotedUse.length);
      return unboundArgument(place, { name, what, unquoted: unquotedUse(query, quotedUse, name) });
    });
}

/** What is around the first use of a name in a literal, joined with the parameter: `'%' || :name || '%'`. */
function unquotedUse(query: string, use: string, name: string): string {
  const offset = query.indexOf(use);
  const earlier = query.slice(0, offset).split("'");
  const [after = ""] = query.slice(offset + use.length).split("'");
  const isInLiteral = earlier.length % 2 === 0;
  const literal = (text: string): string[] => (text === "" || !isInLiteral ? [] : [`'${text}'`]);
  return [...literal(earlier.at(-1) ?? ""), `:${name}`, ...literal(after)].join(" || ");
}

/** True if a query contains a name. The name must not continue as a longer one. */
function isNamedIn(query: string, name: string): boolean {
  const offset = query.indexOf(name);
  return offset >= 0 && !/^\w/.test(query.slice(offset + name.length));
}

function parametersOfTwoTypes(
  manifest: LoadedManifest,
  query: string,
  { parameters }: SqlText,
  path: ManifestPath,
): Diagnostic[] {
  const firstTypes = new Map<string, string>();
  const conflicting = parameters.filter(({ name, cast }) => {
    if (cast === undefined) return false;
    const type = typeNamed(cast);
    const expected = firstTypes.get(name) ?? type;
    firstTypes.set(name, expected);
    return expected !== type;
  });
  return conflicting.slice(0, MOST_PROBLEMS).map(({ name, offset, cast = "" }) => {
    const place = placeInText(manifest, path, query, offset, name.length + 1);
    return twoTypes(place, { name, types: `${firstTypes.get(name)} and ${typeNamed(cast)}` });
  });
}

/** Reports parameters whose types neither their places nor their schemas tell. */
function untypedParameters(
  manifest: LoadedManifest,
  { body, names, typesOf, schemaOf }: BodyItem,
  { parameters }: SqlText,
  path: ManifestPath,
): Diagnostic[] {
  const query = textIn(body.value, "query") ?? "";
  const untyped = parameters.flatMap(({ name, offset, untyped: place }) => {
    if (place === undefined || !names.has(name)) return [];
    const type = postgresType(place, typesOf(name), schemaOf(name));
    return type === undefined ? [{ name, offset, type: LIKELY_TYPES[place] }] : [];
  });
  return untyped.slice(0, MOST_PROBLEMS).map(({ name, offset, type }) => {
    const place = placeInText(manifest, path, query, offset, name.length + 1);
    return untypedParameter(place, { name, type });
  });
}

/** The usual names of types of Postgres, by their other names. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  smallint: "int2",
  int: "int4",
  integer: "int4",
  bigint: "int8",
  decimal: "numeric",
  real: "float4",
  double: "float8",
  float: "float8",
  bool: "boolean",
  character: "text",
  varchar: "text",
};

const typeNamed = (name: string): string =>
  Object.hasOwn(TYPE_NAMES, name) ? (TYPE_NAMES[name] ?? name) : name;

/** The first words of statements that only read. */
const READING = ["select", "with", "values", "table", "explain", "show"];

/** The first words of statements that control a transaction. */
const OF_TRANSACTIONS = "abort begin commit end release rollback savepoint start".split(" ");

function writeProblems(
  manifest: LoadedManifest,
  { item, body, what, isSource }: BodyItem,
  { keyword, hiddenChange }: SqlText,
): Diagnostic[] {
  const query = manifest.locate([...body.path, "query"], "value");
  if (OF_TRANSACTIONS.includes(keyword)) {
    const problem = "begins or ends a transaction, and each statement has one of its own";
    return [statementForm(query, { problem })];
  }
  if (body.value["write"] !== true || isSource) {
    if (READING.includes(keyword) && hiddenChange === undefined) return [];
    const change = hiddenChange ?? `begins with "${keyword}"`;
    if (keyword === "") return [statementForm(query, { problem: "has no statement" })];
    return what === "the tool"
      ? [writingQuery(query, { change })]
      : [writingResource(query, { what: change })];
  }
  if (what !== "the tool") {
    return [
      writingResource(manifest.locate([...body.path, "write"], "value"), {
        what: 'has "write: true"',
      }),
    ];
  }
  const annotations = mappingIn(item, "annotations");
  if (annotations?.value["readOnlyHint"] !== true) return [];
  return [readOnlyWriter(manifest.locate([...annotations.path, "readOnlyHint"], "value"), {})];
}

function limitProblems(manifest: LoadedManifest, { value, path }: Mapping): Diagnostic[] {
  if (value["row"] !== true || value["maxRows"] === undefined) return [];
  return [limitOfOneRow(manifest.locate([...path, "maxRows"], "key"), {})];
}

/** Checks that the outputSchema accepts rows. */
function schemaProblems(manifest: LoadedManifest, { item, body }: BodyItem): Diagnostic[] {
  const output = ownValue(item.value, "outputSchema");
  if (!isJsonObject(output ?? null) || has(body.value, "select")) return [];
  const schema = output as JsonObject;
  const isRow = body.value["row"] === true;
  const place = manifest.locate([...item.path, "outputSchema"], "key");
  const misfit = (problem: string): Diagnostic[] => [rowsMisfit(place, { problem })];
  if (isRow) {
    return excludesType(schema, "object")
      ? misfit("one row is an object, which the outputSchema refuses")
      : [];
  }
  if (excludesType(schema, "array"))
    return misfit("rows are a list, which the outputSchema refuses");
  const items = ownValue(schema, "items");
  const isRefused = isJsonObject(items ?? null) && excludesType(items as JsonObject, "object");
  return isRefused ? misfit("each row is an object, which the outputSchema refuses") : [];
}
