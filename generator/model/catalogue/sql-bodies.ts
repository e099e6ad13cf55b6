import { defineDiagnostic } from "../catalogue-entry.js";
import { argumentWord, didYouMean } from "./message-parts.js";

/** Rules about databases, and about bodies that query them. */

const DATABASE =
  "env: {SHOP_DB: {required: true, secret: true}}\ndatabases: {shop: {type: postgres, url: {env: SHOP_DB}}}\n";

/** A manifest with one tool that asks a database. @param more further keys of the tool */
function example(sql: string, more = ""): string {
  const schema =
    "{type: object, properties: {id: {type: integer, description: Id}}, required: [id], additionalProperties: false}";
  return `${DATABASE}tools:\n  - name: a\n    description: x\n    inputSchema: ${schema}\n    sql: {${sql}}${more === "" ? "" : `\n    ${more}`}`;
}

export const unknownDatabase = defineDiagnostic<{ found: string; nearest?: string }>({
  code: "MW2110",
  severity: "error",
  title: "unknown database",
  explanation: {
    cause: "A body or an example asks a database that `databases` does not declare.",
    example: 'tools: [{name: a, description: x, sql: {database: shop, query: "select 1"}}]',
    fix: "Declare it under `databases`, with its `type`, or correct the name.",
  },
  message: ({ found, nearest }) => `there is no database ${found}${didYouMean(nearest)}`,
});

export const databasePlace = defineDiagnostic<{ type: string; key: string }>({
  code: "MW2111",
  severity: "error",
  title: "database without a place",
  explanation: {
    cause:
      "A Postgres database has a `url`, and a SQLite database a `file`; neither has the other.",
    example: "databases: {shop: {type: sqlite, url: shop.db}}",
    fix: "Write the key that the type has.",
  },
  message: ({ type, key }) => `a database of the type ${type} needs "${key}", and no other place`,
});

export const statementForm = defineDiagnostic<{ problem: string }>({
  code: "MW2112",
  severity: "error",
  title: "unusable statement",
  explanation: {
    cause:
      "A query is one statement as its database reads it. Arguments are bound by `:name` only: nothing of a caller becomes a part of the text.",
    example: example('database: shop, query: "select 1; select :id"'),
    fix: "Write one statement, close its quotes and comments, and write `:name` for an argument.",
  },
  message: ({ problem }) => `the query ${problem}`,
});

export const unknownParameter = defineDiagnostic<{
  found: string;
  what: string;
  nearest?: string;
}>({
  code: "MW2113",
  severity: "error",
  title: "parameter that is no argument",
  explanation: {
    cause: "A query names an argument that the inputSchema of the tool does not have.",
    example: example('database: shop, query: "select :id, :customer"'),
    fix: "Correct the name, or add the argument to the inputSchema. A text in quotes may hold any colon.",
  },
  message: ({ found, what, nearest }) =>
    `${what} has no ${argumentWord(what)} for ${found}${nearest === undefined ? "" : `; did you mean ":${nearest}"?`}`,
});

export const unboundArgument = defineDiagnostic<{ name: string; what: string; isQuoted?: true }>({
  code: "MW2114",
  severity: "error",
  title: "argument that is not bound",
  explanation: {
    cause: "A query leaves an argument out: what a caller says would have no effect.",
    example: example('database: shop, query: "select 1"'),
    fix: "Write `:name` where the argument belongs, or remove it from the inputSchema. Names that can be bound have letters, digits and underscores.",
  },
  message: ({ name, what }) => `the query has no place for the ${argumentWord(what)} "${name}"`,
  hint: ({ name, isQuoted }) =>
    isQuoted === true
      ? `what stands within quotes is text: write :${name} without them`
      : undefined,
});

export const twoTypes = defineDiagnostic<{ name: string; types: string }>({
  code: "MW2115",
  severity: "error",
  title: "parameter of two types",
  explanation: {
    cause: "A query casts the same argument to two types, and a parameter of Postgres has one.",
    example: example('database: shop, query: "select :id::int, :id::text"'),
    fix: "Cast the argument once, and that to the other type: `(:id::int)::text`.",
  },
  message: ({ name, types }) => `:${name} has two types: ${types}`,
});

export const writingQuery = defineDiagnostic<{ change: string }>({
  code: "MW2116",
  severity: "error",
  title: "statement that needs write",
  explanation: {
    cause:
      "A statement changes something, and the database lets it only read: each call would fail.",
    example: example('database: shop, query: "delete from orders where id = :id"'),
    fix: "Write `write: true` in the body, and say by `annotations` that the tool is not read-only.",
  },
  message: ({ change }) => `a statement that ${change} needs "write: true"`,
});

export const rowsMisfit = defineDiagnostic<{ problem: string }>({
  code: "MW2117",
  severity: "error",
  title: "rows that cannot fit the outputSchema",
  explanation: {
    cause: "A query answers a list of objects, and with `row: true` an object or null.",
    example: example(
      'database: shop, query: "select :id as c"',
      "outputSchema: {type: object, properties: {c: {type: integer, description: x}}, required: [c]}",
    ),
    fix: "Write `row: true` for one row, or correct the outputSchema.",
  },
  message: ({ problem }) => problem,
});

export const writingResource = defineDiagnostic<{ what: string }>({
  code: "MW2118",
  severity: "error",
  title: "resource that writes",
  explanation: {
    cause:
      "Clients read and list resources, and complete arguments, whenever they like: that must change nothing.",
    example: `${DATABASE}resources: [{name: a, uri: "demo://a", description: x, sql: {database: shop, query: "select 1", write: true}}]`,
    fix: "Remove `write`, or make a tool of the statement.",
  },
  message: ({ what }) => `only a tool may have a statement that ${what}`,
});

export const limitOfOneRow = defineDiagnostic({
  code: "MW2119",
  severity: "error",
  title: "limit of a single row",
  explanation: {
    cause: "`row: true` answers one row or null, so that `maxRows` would have no effect.",
    example: example('database: shop, query: "select :id as c", row: true, maxRows: 10'),
    fix: "Remove `maxRows`; or remove `row`, and the answer is a list.",
  },
  message: () => '"maxRows" says nothing of a body with "row: true"',
});

export const readOnlyWriter = defineDiagnostic({
  code: "MW2340",
  severity: "warning",
  title: "read-only tool that writes",
  explanation: {
    cause:
      "A tool says that it only reads, and its statement may change something: clients may call it unasked.",
    example: example(
      'database: shop, query: "delete from orders where id = :id", write: true',
      "annotations: {readOnlyHint: true}",
    ),
    fix: "Remove `write`, or write `readOnlyHint: false`.",
  },
  message: () => 'the tool says "readOnlyHint: true", but its statement may write',
});

export const listAsItem = defineDiagnostic<{ name: string; operator: string; form: string }>({
  code: "MW2342",
  severity: "warning",
  title: "list as one item of `in`",
  explanation: {
    cause:
      "An argument that is a list is bound as one value: an array in Postgres, JSON in SQLite. `in (:ids)` compares with that value, not with the items of the list.",
    example: example('database: shop, query: "select 1 where 1 in (:id)"').replace(
      "{type: integer, description: Id}",
      "{type: array, items: {type: integer}, description: Ids}",
    ),
    fix: "Write `= any(:ids)` in Postgres, and `in (select value from json_each(:ids))` in SQLite. Where the column is a list itself, switch this warning off.",
  },
  message: ({ name, operator }) =>
    `"${name}" is a list, which "${operator} (…)" takes for one value`,
  hint: ({ form }) => `write ${form}`,
});

export const untypedParameter = defineDiagnostic<{ name: string; type: string }>({
  code: "MW2121",
  severity: "error",
  title: "parameter without a type",
  explanation: {
    cause:
      "Postgres learns the type of a parameter from its place. Some functions take values of several types: there, the compiler writes the type that the inputSchema states, and this one states none that fits.",
    example: example('database: shop, query: "select concat(:id) as c"').replace(
      "{type: integer, description: Id}",
      "{type: [integer, string], description: Id}",
    ),
    fix: "Write the type behind the parameter, as in `:id::text`, or state it in the inputSchema.",
  },
  message: ({ name }) =>
    `Postgres cannot tell the type of ":${name}" here, and the inputSchema states none that fits`,
  hint: ({ name, type }) => `write the type behind it, such as :${name}::${type}`,
});

export const nodeForSqlite = defineDiagnostic({
  code: "MW2341",
  severity: "warning",
  title: "SQLite needs a newer Node.js",
  explanation: {
    cause:
      "SQLite is a part of Node.js from version 22.13 on: a project that has such a database does not run on an older one.",
    example: "databases: {shop: {type: sqlite, file: shop.db}}",
    fix: "Run the server on Node.js 22.13 or newer; package.json says so to npm. `diagnostics: {MW2341: off}` ends this warning.",
  },
  message: () => "a SQLite database needs Node.js 22.13 or newer",
});
