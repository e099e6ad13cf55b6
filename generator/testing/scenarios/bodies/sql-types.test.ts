import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Masking } from "../../../../templates/runtime/backends/masking.js";
import type { Row } from "../../../../templates/runtime/databases/definition.js";
import { openPostgres } from "../../../../templates/runtime/databases/postgres.js";
import { LocalPostgres } from "../../../../templates/runtime/samples/local-postgres.js";
import { boundStatement } from "../../../5-emit/bodies/sql-code.js";
import { checkedManifest } from "../../harness/projects/checked-manifest.js";
import { runUnless } from "../../harness/runner/skipped-test.js";

/** What a real Postgres does with statements whose parameters have no type of their own. */
const why = await LocalPostgres.whyWithout();
const test = suite("types of parameters in Postgres");
const postgres = why === undefined ? await LocalPostgres.start() : undefined;

/** The schemas of arguments, by their names in the statements. */
const PROPERTIES = {
  name: { type: "string" },
  id: { type: "integer" },
  price: { type: "number" },
  sold: { type: "boolean" },
  day: { type: "string", format: "date" },
  time: { type: ["string", "null"], format: "date-time" },
  ids: { type: "array", items: { type: "integer" } },
  names: { type: "array", items: { enum: ["oak", "elm"] } },
  label: { type: "object", additionalProperties: { type: "string" } },
};

test.before(async () => {
  await postgres?.execute(`
    create role reader login;
    create table parcel (id int, name text, code uuid, sent timestamptz, price numeric(8,2), tags varchar(9)[]);
    insert into parcel values (1, 'oak', '00000000-0000-0000-0000-000000000001', '2026-01-31T10:00Z', 9.50, '{x}');
    grant select on parcel to reader;`);
});

test.after(() => postgres?.close());

/** The rows of a statement as the compiler writes it for a tool with these arguments. */
async function rowsOf(query: string, given: Readonly<Record<string, unknown>>): Promise<Row[]> {
  const used = Object.entries(PROPERTIES).filter(([name]) => new RegExp(`:${name}\\b`).test(query));
  const tool = {
    name: "ask",
    description: "Asks.",
    inputSchema: { type: "object", properties: Object.fromEntries(used) },
    sql: { database: "shop", query },
  };
  const manifest = {
    ...{ name: "demo", version: "1.0.0", tools: [tool] },
    env: { URL: { required: true } },
    databases: { shop: { type: "postgres", url: { env: "URL" } } },
  };
  const { behaviour } = checkedManifest(JSON.stringify(manifest)).model.tools[0] ?? {};
  if (behaviour?.kind !== "sql" || postgres === undefined) throw new Error("no statement");
  const { text, bound } = boundStatement(behaviour);
  const connections = openPostgres({
    definition: { name: "shop", type: "postgres", place: "", poolSize: 1, timeoutMs: 10_000 },
    ...{
      location: postgres.url("reader"),
      variable: "",
      masking: new Masking(),
      root: process.cwd(),
    },
  });
  const limits = { write: false, maxRows: 10, maxBytes: 100_000 };
  const values = bound.map((name) => given[name]);
  try {
    return [
      ...(await connections.run({ text, values, ...limits }, new AbortController().signal)).rows,
    ];
  } finally {
    await connections.close();
  }
}

test("an argument may be absent where its column has any type, whichever test comes first", async () => {
  const code = "00000000-0000-0000-0000-000000000001";
  const time = "2026-01-31T11:00:00+01:00";
  for (const [condition, given] of [
    [":name is null or name = :name", { name: "oak" }],
    ["name = :name or :name is null", { name: "oak" }],
    ["(:name) is null or code = :name", { name: code }],
    [":name is not null and code = :name", { name: code }],
    [":time is null or sent = :time", { time }],
    ["case when :id isnull then true else id = :id end", { id: 1 }],
    [":price is null or price = :price", { price: 9.5 }],
    [":ids is null or id = any(:ids)", { ids: [1, 2] }],
    [":names is null or tags && :names or name = any(:names)", { names: ["oak"] }],
    [":sold is null or (price > 9) = :sold", { sold: true }],
    [":label is null or jsonb_build_object('k', name) = :label", { label: { k: "oak" } }],
    [":name is null or code = :name::uuid", { name: code }],
  ] as const) {
    const query = `select id from parcel where ${condition}`;
    assert.equal(await rowsOf(query, given), [{ id: 1 }], condition);
    const without = condition.includes("is not null") ? [] : [{ id: 1 }];
    assert.equal(await rowsOf(query, {}), without, `${condition}, absent`);
  }
});

test("a function that takes any type gets the type of the inputSchema", async () => {
  for (const [expression, given, expected] of [
    ["concat(:name, '-', :id, :price)", { name: "a", id: 2, price: 0.5 }, "a-20.5"],
    ["concat_ws(:name, :id, :sold)", { name: "-", id: 2, sold: true }, "2-t"],
    ["format('%s %s', :name, :ids)", { name: "a", ids: [1, 2] }, "a {1,2}"],
    ["json_build_array(:id, :price, :sold)", { id: 2, price: 0.5, sold: false }, [2, 0.5, false]],
    ["json_build_object(:name, :label)", { name: "a", label: { k: "v" } }, { a: { k: "v" } }],
    ["jsonb_build_object('a', :names)", { names: ["oak"] }, { a: ["oak"] }],
    ["num_nulls(:name, :id)", { id: 1 }, 1],
    ["num_nonnulls(:names, :label)", { names: [] }, 1],
    ["to_json(:name)", { name: "a" }, "a"],
    ["to_jsonb(:ids)", { ids: [3] }, [3]],
    ["(select json_agg(:id order by id) from parcel)", { id: 4 }, [4]],
    ["(select count(distinct :name)::int from parcel)", { name: "a" }, 1],
    ["(select array_agg(:name) from parcel)", { name: "a" }, ["a"]],
    ["(select json_object_agg(:name, :id) from parcel)", { name: "a", id: 1 }, { a: 1 }],
    ["lag(:name, 0) over ()", { name: "a" }, "a"],
    ["cardinality(:ids)", { ids: [1, 2] }, 2],
    ["array_to_string(:names, :name)", { names: ["oak", "elm"], name: "+" }, "oak+elm"],
    ["(select max(n)::int from unnest(:ids) n)", { ids: [1, 7] }, 7],
    ["(select sum(:price)::text from parcel)", { price: 0.25 }, "0.25"],
    ["extract(year from :day)::int", { day: "2026-01-31" }, 2026],
    ["date_trunc('year', :time)", { time: "2026-03-04T00:00:00Z" }, "2026-01-01T00:00:00Z"],
    ["to_char(:day, 'YYYY')", { day: "2026-01-31" }, "2026"],
    ["pg_typeof(:price)::text", { price: 1 }, "numeric"],
    ["row(:name, :id)::text", { name: "a", id: 1 }, "(a,1)"],
  ] as const) {
    assert.equal(await rowsOf(`select ${expression} as x`, given), [{ x: expected }], expression);
  }
});

test("parts of one type get that of the inputSchema where Postgres would take them for texts or integers", async () => {
  for (const [expression, given, expected] of [
    ["coalesce(:price, 0)::float", { price: 0.5 }, 0.5],
    ["greatest(:price, -3)::float", { price: 5.5 }, 5.5],
    ["nullif(:price, 0)::float", { price: 0.5 }, 0.5],
    ["(case when true then :price else 0 end)::float", { price: 0.5 }, 0.5],
    ["greatest(:id, :price)::float", { id: 9, price: 10 }, 10],
    ["least(:id, :price, null)::float", { id: 9, price: 10 }, 9],
    ["(select id from parcel where id = coalesce(:id, null))", { id: 1 }, 1],
    ["(select id from parcel where id = nullif(:id, :price))", { id: 1, price: 2 }, 1],
    ["(select id from parcel where id = any(array[:id, :price]))", { id: 1, price: 2 }, 1],
    ["(select id from parcel where id = any(coalesce(:ids, null)))", { ids: [1] }, 1],
    [
      "(select id from parcel where id = case when sent is null then null else :id end)",
      { id: 1 },
      1,
    ],
    ["(select id from parcel where coalesce(:sold, null))", { sold: true }, 1],
    ["coalesce(:label, null)", { label: { k: "v" } }, { k: "v" }],
    ["case :id when 1 then 'one' when 2 then 'two' end", { id: 2 }, "two"],
    ["case :price when :id then 'same' end", { price: 2, id: 2 }, "same"],
    ["(select count(*)::int from generate_series(:id, :price))", { id: 1, price: 3 }, 3],
    ["mod(:id, :id)::int", { id: 5 }, 0],
    // What Postgres tells well stays as it is.
    ["coalesce(:id, 0)", { id: 5 }, 5],
    ["coalesce(:name, 'none')", {}, "none"],
    ["greatest(:name, :id)", { name: "a", id: 5 }, "a"],
    ["(select id from parcel where code = coalesce(:name, code))", { name: null }, 1],
    ["nullif(:id, '')", { id: 5 }, "5"],
    ["mod(:id, 3)", { id: 5 }, 2],
    ["case :name when 'a' then 1 end", { name: "a" }, 1],
    ["case :id when '5' then 1 end", { id: 5 }, 1],
    ["array[:name, :name]", { name: "a" }, ["a", "a"]],
  ] as const) {
    const rows = await rowsOf(`select ${expression} as x`, given).catch(String);
    assert.equal(rows, [{ x: expected }], expression);
  }
});

runUnless(why, "types of parameters in Postgres", test);
