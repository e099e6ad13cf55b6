import { test } from "uvu";
import * as assert from "uvu/assert";
import type { ServerDefinition } from "../engine/definition.js";
import type { DatabaseConnections, Found, Statement } from "./definition.js";
import { createDatabases, type PostgresDatabase } from "./databases.js";

/** What handlers get, on a database that answers what a test says. */

const asked: Statement[] = [];
let found: Found = { rows: [], isCut: false };
const connections: DatabaseConnections = {
  run: async (statement) => {
    asked.push(statement);
    return found;
  },
  check: async () => undefined,
  close: async () => undefined,
};

const definition = {
  databases: [
    {
      ...{ name: "shop", type: "postgres", place: { env: "SHOP_DB" } },
      ...{ poolSize: 1, timeoutMs: 1000 },
    },
  ],
  env: [{ name: "SHOP_DB", type: "string", required: true, secret: true }],
  openPostgres: () => connections,
} as unknown as ServerDefinition;

function shop(mock = false): PostgresDatabase {
  const options = { env: { SHOP_DB: "postgres://me:s3cretWord@x/" }, root: ".", mock };
  const { signal } = new AbortController();
  const { shop: database } = createDatabases(definition, options).bind({ signal }) as {
    readonly shop: PostgresDatabase;
  };
  return database;
}

async function refused(promise: Promise<unknown>, words: string): Promise<void> {
  try {
    await promise;
  } catch (error) {
    return assert.match((error as Error).message, words);
  }
  assert.unreachable("it was not refused");
}

test("a statement reads at most 100 rows, unless it says something else", async () => {
  found = { rows: [{ a: 1 }], isCut: false };
  const answer = await shop().query("select 1");
  assert.equal(asked.pop(), { text: "select 1", values: [], maxRows: 100, write: false });
  assert.equal(answer.rows(), [{ a: 1 }]);
  assert.equal(answer.row(), { a: 1 });
  assert.is(answer.rowContent(), '{"a":1}');
  assert.equal(answer.content(), [{ type: "text", text: '[{"a":1}]' }]);
  await shop().query("delete", ["x"], { write: true, maxRows: 3 });
  assert.equal(asked.pop(), { text: "delete", values: ["x"], maxRows: 3, write: true });
});

test("rows that are missing are said, or an error where there is no place for that", async () => {
  found = { rows: [{ a: 1 }], isCut: true };
  const answer = await shop().query("select 1");
  const notice = "This is the first row: there are more.";
  assert.equal(answer.content()[1], { type: "text", text: notice });
  for (const read of [() => answer.rows(), () => answer.row(), () => answer.rowContent()]) {
    assert.throws(read, "The database shop has more than one row for this.");
  }
});

test("a statement that answers no rows says how many it has changed", async () => {
  for (const [changed, words] of [
    [0, "0 rows were changed."],
    [1, "1 row was changed."],
  ] as const) {
    found = { rows: [], isCut: false, changed };
    const answer = await shop().query("delete", [], { write: true });
    assert.equal(answer.content(), [{ type: "text", text: words }]);
    assert.is(answer.changed, changed);
  }
});

test("columns become numbers where that changes no value", async () => {
  const numbers = ["a", "b", "c"];
  found = { rows: [{ a: "12", b: "1.10", c: null, d: "1" }], isCut: false };
  const answer = await shop().query("select", [], { numbers });
  assert.equal(answer.rows(), [{ a: 12, b: 1.1, c: null, d: "1" }]);
  for (const a of ["9007199254740993", "NaN", "Infinity", "x"]) {
    found = { rows: [{ a }], isCut: false };
    await refused(
      shop().query("select", [], { numbers }),
      "a value in a that no number of JSON is",
    );
  }
});

test("secrets are in no answer, and NUL in no statement", async () => {
  found = { rows: [{ a: "it is postgres://me:s3cretWord@x/", n: { b: [1] } }], isCut: false };
  const answer = await shop().query("select 1");
  assert.equal(answer.rows(), [{ a: "it is [masked]", n: { b: [1] } }]);
  const before = asked.length;
  for (const value of ["a\0b", ["\0"], { a: ["\0"] }]) {
    await refused(shop().query("select $1", [value]), "must not have the character NUL");
  }
  assert.is(asked.length, before);
});

test("in mock mode nothing is asked", async () => {
  const before = asked.length;
  await refused(shop(true).query("select 1"), "The database shop is not asked in mock mode");
  assert.is(asked.length, before);
});

test.run();
