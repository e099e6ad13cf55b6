import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { validateManifest } from "../validate.js";

/** Problems of a body's query, with the place of each: `code line:column`. */
function problems(database: string, query: string, more = ""): string[] {
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
      properties: { id: { type: integer, description: Id }, name: { type: string, description: Name } }
      required: [id, name]
      additionalProperties: false
    sql:
      database: ${database}
      query: ${JSON.stringify(query)}${more === "" ? "" : `\n      ${more}`}
`;
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  assert.ok(manifest);
  return validateManifest(manifest).map(({ code, line, column }) => `${code} ${line}:${column}`);
}

test("statements that bind every argument have no problem", () => {
  for (const [database, query] of [
    ["shop", "select :id::int, :id::integer + 1, :name"],
    ["shop", "select (:id::int)::text, :name::varchar, :name::text"],
    ["shop", "select ':no', $$ :no $$, a[1:no], :id, :name -- :no"],
    ["shop", "with t as (select :id as id) select :name from t;"],
    ["notes", "select :id, [:no], `:no`, :name"],
    ["notes", "values (:id, :name)"],
  ] as const) {
    assert.equal(problems(database, query), [], query);
  }
});

test("each mistake is told at its place", () => {
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
    ["sho", "select :id, :name", "MW2110 17:17"],
  ] as const) {
    assert.equal(problems(database, query), expected, query);
  }
  assert.equal(
    problems("shop", "delete from t where id = :id and name = :name", "write: true"),
    [],
  );
});

test.run();
