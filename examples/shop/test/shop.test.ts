import { suite } from "uvu";
import * as assert from "uvu/assert";
import { closeServices, createServices } from "../src/context.ts";
import { createServer } from "../src/generated/index.ts";
import { createTestContext } from "./generated/testing.ts";
import { summarizeEvents } from "../src/tools/summarize-events.ts";
import { TestDatabase } from "@mcpwright/runtime/testing";
import { Connection } from "@mcpwright/runtime/testing";

/** The server on a real database, which TEST_SHOP_DB names; what is in it is lost. */

const url = process.env["TEST_SHOP_DB"] ?? "";
const test = suite("the shop");
const contract = {
  name: "shop",
  type: "postgres",
  variable: "TEST_SHOP_DB",
  setup: "test/shop.sql",
} as const;

let server: Awaited<ReturnType<typeof createServer>>;
let connection: Connection;
let services: Awaited<ReturnType<typeof createServices>>;
const updated: string[] = [];

test.before(async () => {
  await TestDatabase.open(contract);
  services = await createServices({ SHOP_DB: url }, {
    notify: { resourceUpdated: (uri: string) => void updated.push(uri) },
  } as never);
  server = await createServer({ env: { SHOP_DB: url }, services });
  connection = await Connection.open(server.factory, "modern");
});

test.after(async () => {
  await connection.close();
  await server.close();
  await closeServices(services);
});

interface Answer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

const call = async (name: string, values: Record<string, string | number>): Promise<Answer> =>
  (await connection.request("tools/call", { name, arguments: values })) as never;

const ask = async (statement: string): Promise<Answer> => call("query", { statement });

async function complete(name: string, value: string): Promise<unknown> {
  const ref = { type: "ref/resource", uri: "postgres://{database}/{table}/schema" };
  const { completion } = await connection.request("completion/complete", {
    ref,
    argument: { name, value },
  });
  return (completion as { values: unknown }).values;
}

async function read(uri: string): Promise<unknown> {
  const { contents } = await connection.request("resources/read", { uri });
  return JSON.parse((contents as { text: string }[])[0]?.text ?? "");
}

test("a statement of the caller's reads, and changes nothing", async () => {
  const { content } = await ask("select name from products order by id limit 2");
  assert.is(content[0]?.text, '[{"name":"Green tea"},{"name":"Black tea"}]');
  const many = await ask("select * from generate_series(1, 100000)");
  assert.is(many.content[1]?.text, "These are the first 100 rows: there are more.");
  for (const statement of [
    "delete from products",
    "select 1; commit; delete from products",
    "commit; delete from products",
    "with gone as (delete from products returning id) select * from gone",
    "set transaction read write",
    "do $$ begin perform set_config('transaction_read_only', 'off', false); delete from products; end $$",
    "copy products to program 'cat'",
    "select pg_read_file('/etc/passwd')",
    "select pg_sleep(60)",
  ]) {
    await ask(statement);
    assert.is((await ask("select count(*)::int as n from products")).content[0]?.text, '[{"n":3}]');
  }
  assert.ok((await ask("drop table products")).isError);
});

test("tables are suggested, and their columns described", async () => {
  assert.equal(await complete("table", "pro"), ["products"]);
  assert.equal(await complete("table", "'; drop table products; --"), []);
  const [database] = (await complete("database", "")) as string[];
  assert.equal(((await read(`postgres://${database}/events/schema`)) as object[])[1], {
    name: "product",
    type: "integer",
    nullable: false,
  });
  try {
    await read(`postgres://${database}/absent/schema`);
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, /not found/i);
  }
});

test("whoever has subscribed is told of changed products", async () => {
  // The listener connects in the background.
  for (let turn = 0; turn < 500 && updated.length === 0; turn++) {
    await call("set_stock", { id: 3, stock: turn });
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.is(updated[0], "shop://products");
  const before = updated.length;
  await call("set_stock", { id: 3, stock: 6 });
  for (let turn = 0; turn < 500 && updated.length === before; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.ok(updated.length > before);
  const products = (await read("shop://products")) as object[];
  assert.equal(products[2], { id: 3, name: "Coffee", price: 7.9, stock: 6 });
});

test("the client's model is asked with the events of a product", async () => {
  const answers = { sample: "It was delivered, and then sold out." };
  const ctx = createTestContext(summarizeEvents, { answers, databases: { shop: url } });
  assert.is(await summarizeEvents({ product: 2 }, ctx), answers.sample);
  assert.match(JSON.stringify(ctx.asked), "sold out");
  try {
    await summarizeEvents({ product: 3 }, ctx);
    assert.unreachable();
  } catch (error) {
    assert.match((error as Error).message, "Nothing has happened");
  }
});

if (url === "") {
  const skipped = suite("the shop");
  skipped.skip("all tests");
  console.log("skipped: all tests of the shop (TEST_SHOP_DB names no database)");
  skipped.run();
} else test.run();
