import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import type { Diagnostic } from "../../model/diagnostic.js";
import { validateManifest } from "../validate.js";

/** Problems of a body's query, with the place of each: `code line:column`. */
function problems(database: string, query: string, more = ""): string[] {
  return diagnostics(database, query, more).map(
    ({ code, line, column }) => `${code} ${line}:${column}`,
  );
}

/** The diagnostics of a body's query. Only a query with `:ids` has an argument of that name, a list. */
function diagnostics(database: string, query: string, more = ""): Diagnostic[] {
  const list = "ids: { type: array, items: { type: integer }, description: Ids }";
  const text = `name: demo
version: 1.0.0
env: { SHOP_DB: { required: true, secret: true } }
databases:
  shop: { type: postgres, url: { env: SHOP_DB } }
  notes: { type: sqlite, file: notes.db }
diagnostics: { MW2341: off }
tools:
  - name: a
    description: Does a.
    inputSchema:
      type: object
      properties: { id: { type: integer, description: Id }, name: { type: string, description: Name }${query.includes(":ids") ? `, ${list}` : ""} }
      required: [id, name]
      additionalProperties: false
    sql:
      database: ${database}
      query: ${JSON.stringify(query)}${more === "" ? "" : `\n      ${more}`}
`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest);
  return validateManifest(manifest);
}

test("statements that bind every argument have no problem", () => {
  for (const [database, query] of [
    ["shop", "select :id::int, :id::integer + 1, :name"],
    ["shop", "select (:id::int)::text, :name::varchar, :name::text"],
    ["shop", "select ':no', $$ :no $$, a[1:no], :id, :name -- :no"],
    ["shop", "with t as (select :id as id) select :name from t;"],
    ["notes", "select :id, [:no], `:no`, :name"],
    ["notes", "values (:id, :name)"],
    ["shop", "with t as (select :id as delete) select :name, t.delete from t"],
    ["shop", "select substring(:name for :id), 'for update'"],
    ["shop", "with t as (select :id) select (1) update, :name from t"],
    ["shop", "select :id as into, x.into, :name from x"],
    ["shop", "explain delete from t where a = :id and b = :name"],
    ["shop", "explain analyze select analyze from t where a = :id and b = :name"],
  ] as const) {
    assert.equal(problems(database, query), [], query);
  }
});

test("a list as an item of `in` is reported, with what stands for it in each dialect", () => {
  const found = (database: string, condition: string): (string | undefined)[] =>
    diagnostics(database, `select :id from t where :name = '' and ${condition}`)
      .filter(({ code }) => code !== "MW2114")
      .map(({ code, column, hint }) => `${code} ${column} ${hint}`);
  for (const [database, condition, form] of [
    ["shop", "id in (:ids)", "= any(:ids)"],
    ["shop", "id NOT IN ( /* all */ :ids )", "<> all(:ids)"],
    ["shop", "id in (1, :ids::int[])", "= any(:ids)"],
    ["shop", "(id in (1)) in (id in (:ids))", "= any(:ids)"],
    ["notes", "id in (:ids)", "in (select value from json_each(:ids))"],
    ["notes", "id not in (:ids)", "not in (select value from json_each(:ids))"],
  ] as const) {
    const column = 14 + 1 + `select :id from t where :name = '' and ${condition}`.indexOf(":ids");
    assert.equal(found(database, condition), [`MW2342 ${column} write ${form}`], condition);
  }
  for (const condition of [
    ...["id = any(:ids)", "id in (:id, :name)", "id in (select unnest(:ids::int[]))"],
    ...[
      "id in (cardinality(:ids))",
      "(:ids) is not null",
      "id in ((:ids)[1])",
      "id in (:id) or :ids is null",
    ],
  ]) {
    assert.equal(found("shop", condition), [], condition);
  }
  assert.equal(found("notes", "id in (select value from json_each(:ids))"), []);
});

/** Codes and hints of a query of Postgres with the argument `x` of a schema. */
function ofArgument(schema: string, query: string): string[] {
  const text = `name: demo
version: 1.0.0
env: { SHOP_DB: { required: true, secret: true } }
databases: { shop: { type: postgres, url: { env: SHOP_DB } } }
schemas: { Code: { type: string } }
tools:
  - name: a
    description: Does a.
    inputSchema: { type: object, properties: { x: ${schema} }, additionalProperties: false }
    sql: { database: shop, query: "${query}" }
`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest);
  return validateManifest(manifest)
    .filter(({ severity }) => severity === "error")
    .map(({ code, hint, line, column }) => `${code} ${line}:${column} ${hint ?? ""}`);
}

test("a parameter that Postgres cannot type needs a cast where its schema states no type that fits", () => {
  for (const [schema, query] of [
    ["{}", "select :x is null"],
    ["{}", "select concat(:x::text)"],
    ["{ type: [string, 'null'] }", "select concat(:x)"],
    ["{ $ref: '#/schemas/Code' }", "select concat(:x)"],
    ["{ enum: [a, b] }", "select concat(:x)"],
    ["{ anyOf: [{ type: integer }, { type: 'null' }] }", "select concat(:x)"],
    ["{ type: array, items: { type: string } }", "select unnest(:x)"],
    ["{ type: string, format: date }", "select extract(year from :x)"],
    ["{ type: number }", "select sum(:x)"],
  ] as const) {
    assert.equal(ofArgument(schema, query), [], `${schema} ${query}`);
  }
  for (const [schema, query, type] of [
    ["{}", "select concat(:x)", "text"],
    ["{ type: [string, integer] }", "select concat(:x)", "text"],
    ["{ enum: [1, a] }", "select concat(:x)", "text"],
    ["{ type: array }", "select concat(:x)", "text"],
    ["{ type: string }", "select unnest(:x)", "text[]"],
    ["{ type: string }", "select extract(year from :x)", "timestamptz"],
    ["{ type: string }", "select sum(:x)", "numeric"],
  ] as const) {
    const column = 36 + query.indexOf(":x");
    const hint = `write the type behind it, such as :x::${type}`;
    assert.equal(ofArgument(schema, query), [`MW2121 10:${column} ${hint}`], `${schema} ${query}`);
  }
});

test("the hint for a parameter within quotes joins it with what stands beside it", () => {
  for (const [query, written] of [
    ["select 1 where 'a' like '%:x%'", "'%' || :x || '%'"],
    ["select 1 where 'a' like ':x%'", ":x || '%'"],
    ["select 1 where 'a' like '%{{x}}'", "'%' || :x"],
    ["select 1 where 'a' = ':x'", ":x"],
    ["select 'a' -- :x", ":x"],
  ] as const) {
    const [only = ""] = ofArgument("{ type: string }", query);
    assert.match(only, /^MW2114 /, query);
    assert.ok(only.endsWith(`what stands within quotes is text: write ${written}`), only);
  }
});

test("each mistake is reported at its place", () => {
  for (const [database, query, ...expected] of [
    ["shop", "select :id, :nam", "MW2113 18:27"],
    ["shop", "select :id", "MW2114 18:7"],
    ["shop", "select :id::int, :id::text, :name", "MW2115 18:32"],
    ["shop", "select :id, :name; select 1", "MW2112 18:32"],
    ["shop", "select :id, :name, $1", "MW2112 18:34"],
    ["shop", "select {{id}}, :name", "MW2112 18:22"],
    ["notes", "select :id, :name, ?", "MW2112 18:34"],
    ["shop", "select :id, :name, 'x", "MW2112 18:34"],
    ["shop", "delete from t where id = :id and name = :name", "MW2116 18:14"],
    ["shop", "with t as (delete from x where a = :id) select :name", "MW2116 18:14"],
    ["shop", "with t as materialized (update x set a = :id) select :name", "MW2116 18:14"],
    ["shop", "with t as (select :id) insert into x select :name", "MW2116 18:14"],
    ["notes", "with t as (select :id) update x set a = :name", "MW2116 18:14"],
    ["shop", "select :id, :name from x for no key update", "MW2116 18:14"],
    ["shop", "select :id, :name from x for share", "MW2116 18:14"],
    ["shop", "explain analyze delete from t where a = :id and b = :name", "MW2116 18:14"],
    [
      "shop",
      "explain (analyze, verbose) with t as (delete from x) select :id, :name",
      "MW2116 18:14",
    ],
    ["shop", "select :id, :name into y from x", "MW2116 18:14"],
    ["shop", "commit -- :id :name", "MW2112 18:14", "MW2114 18:25", "MW2114 18:29"],
    ["shop", "select :id, '{{name}}'", "MW2114 18:28"],
    ["shop", "select :id, ':name'", "MW2114 18:28"],
    ["sho", "select :id, :name", "MW2110 17:17"],
  ] as const) {
    assert.equal(problems(database, query), expected, query);
  }
  assert.equal(problems("shop", "select :id, :name", "row: true\n      maxRows: 1"), [
    "MW2119 20:7",
  ]);
  const writing = (query: string): string[] => problems("shop", query, "write: true");
  assert.equal(writing("delete from t where id = :id and name = :name"), []);
  assert.equal(writing("rollback to savepoint a /* :id, :name */")[0], "MW2112 18:14");
});

/** Problems of the sources of a variable, of an argument of a prompt, and of a list. */
function sourceProblems(complete: string, argument: string, list: string): string[] {
  const text = `name: demo
version: 1.0.0
upstreams: { api: { baseUrl: "https://api.example" } }
env: { SHOP_DB: { required: true, secret: true } }
databases: { shop: { type: postgres, url: { env: SHOP_DB } } }
resourceTemplates:
  - name: a
    description: A.
    uriTemplate: a://{id}/{kind}
    complete: { id: ${complete} }
    list: ${list}
prompts:
  - name: p
    description: P.
    arguments: [{ name: who, complete: ${argument} }, { name: other }]
    messages: [{ role: user, content: { type: text, text: "{{who}} {{other}}" } }]
`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest);
  return validateManifest(manifest).map(
    ({ code, line, column, message }) => `${code} ${line}:${column} ${message}`,
  );
}

const sql = (query: string, more = ""): string =>
  `{ sql: { database: shop, query: "${query}"${more} } }`;
const http = (rest: string): string => `{ http: { upstream: api, path: ${rest} } }`;

test("a body that completes and binds the typed text has no problem", () => {
  assert.equal(sourceProblems(sql("select :id"), "code", sql("select 1 as id, 2 as kind")), []);
  assert.equal(sourceProblems(sql("select :id, :kind"), http("/x, query: {}"), "code"), []);
  assert.equal(sourceProblems(http('"/{{kind}}/x"'), sql("select :who"), http("/x")), []);
});

test("each mistake of a body that completes or lists is reported at its place", () => {
  const good = sql("select 1 as id, 2 as kind");
  for (const [complete, argument, list, expected] of [
    [sql("select 1"), "code", good, 'MW2114 10:46 the query has no place for the variable "id"'],
    ["code", sql("select 1"), good, 'MW2114 15:65 the query has no place for the argument "who"'],
    ["code", "code", sql("select :id"), 'MW2113 11:51 the template has no variable for ":id"'],
    [
      http('"/{{kin}}"'),
      "code",
      good,
      'MW2040 10:54 the template has no variable "kin"; did you mean "kind"?',
    ],
    [
      "code",
      http('"/{{whom}}"'),
      good,
      'MW2040 15:73 the prompt has no argument "whom"; did you mean "who"?',
    ],
    [
      "code",
      "code",
      sql("delete from x"),
      'MW2118 11:43 only a tool may have a statement that begins with "delete"',
    ],
    [
      "code",
      "code",
      sql("select 1", ", write: true"),
      'MW1203 11:55 unknown key "write" in a sql source',
    ],
    ["{}", "code", good, "MW2026 10:21 complete needs exactly one of http, sql"],
    [
      "code",
      "code",
      "{ http: { upstream: api, path: /x }, sql: { database: shop, query: select 1 } }",
      "MW2026 11:48 the template needs exactly one of http, sql",
    ],
    [
      http("/x, result: { fields: [a, b] }"),
      "code",
      good,
      "MW2093 10:66 a completion takes one field",
    ],
    [
      "code",
      "code",
      http("/x, result: { truncate: true }"),
      "MW2093 11:56 an answer that is cut is no JSON",
    ],
  ] as const) {
    assert.equal(sourceProblems(complete, argument, list), [expected]);
  }
});

test.run();
