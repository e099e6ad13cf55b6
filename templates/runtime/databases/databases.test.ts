import { test } from "uvu";
import * as assert from "uvu/assert";
import type { BoundCall } from "../backends/backends.js";
import type { ServerDefinition } from "../engine/definition.js";
import { CallTimeout } from "../engine/errors.js";
import { sampleServer } from "../samples/server.js";
import type {
  DatabaseConnections,
  DatabaseDefinition,
  Statement,
  StatementResult,
} from "./definition.js";
import { refusal, timeOut, unreachable } from "./failures.js";
import { createDatabases, type PostgresDatabase, type SqliteDatabase } from "./databases.js";

/** Tests of the databases that handlers use. The connections answer each statement with `result`. */

const statements: Statement[] = [];
let result: StatementResult = { rows: [], isCut: false };
const connections: DatabaseConnections = {
  run: async (statement) => {
    statements.push(statement);
    return result;
  },
  check: async () => undefined,
  close: async () => undefined,
};

const definition: ServerDefinition = {
  ...sampleServer,
  databases: [
    {
      ...{ name: "shop", type: "postgres", place: { env: "SHOP_DB" } },
      ...{ poolSize: 1, timeoutMs: 1000 },
    },
  ],
  env: [{ name: "SHOP_DB", type: "string", required: true, secret: true }],
  openPostgres: () => connections,
};

function shop(
  changes: Partial<ServerDefinition> = {},
  call: Partial<BoundCall> = {},
  mock = false,
): PostgresDatabase {
  const options = { env: { SHOP_DB: "postgres://me:s3cretWord@x/" }, root: ".", mock };
  const { signal } = new AbortController();
  const databases = createDatabases({ ...definition, ...changes }, options);
  return (databases.bind({ signal, ...call }) as { readonly shop: PostgresDatabase }).shop;
}

async function expectRefusal(promise: Promise<unknown>, message: string): Promise<void> {
  try {
    await promise;
  } catch (error) {
    return assert.match((error as Error).message, message);
  }
  assert.unreachable("it was not refused");
}

test("a query returns at most 100 rows and 1 MiB, and may only read, unless its options say otherwise", async () => {
  result = { rows: [{ a: 1 }], isCut: false };
  const answer = await shop().query("select 1");
  const usual = { text: "select 1", values: [], maxRows: 100, maxBytes: 1_048_576, write: false };
  assert.equal(statements.pop(), usual);
  assert.equal(answer.rows(), [{ a: 1 }]);
  assert.equal(answer.row(), { a: 1 });
  assert.equal(answer.rowContent(), [{ type: "text", text: '{"a":1}' }]);
  assert.equal(answer.content(), [{ type: "text", text: '[{"a":1}]' }]);
  const options = { write: true, maxRows: 3, maxBytes: 9 };
  await shop().query("delete", ["x"], options);
  assert.equal(statements.pop(), { text: "delete", values: ["x"], ...options });
});

test("content has a notice if there are more rows, and rows as values fail", async () => {
  result = { rows: [{ a: 1 }], isCut: true };
  const answer = await shop().query("select 1");
  const notice = "This is the first row: there are more.";
  assert.equal(answer.content()[1], { type: "text", text: notice });
  assert.equal(answer.rowContent(), [
    { type: "text", text: '{"a":1}' },
    { type: "text", text: notice },
  ]);
  for (const read of [() => answer.rows(), () => answer.row()]) {
    assert.throws(read, "The database shop has more than one row for this.");
  }
});

test("the content of a statement without rows is the number of changed rows", async () => {
  for (const [changed, message] of [
    [0, "0 rows were changed."],
    [1, "1 row was changed."],
  ] as const) {
    result = { rows: [], isCut: false, changed };
    const answer = await shop().query("delete", [], { write: true });
    assert.equal(answer.content(), [{ type: "text", text: message }]);
    assert.is(answer.changed, changed);
  }
});

test("columns become numbers, or rows as values fail if that would change a value", async () => {
  const numbers = ["a", "b", "c"];
  result = { rows: [{ a: "12", b: "1.10", c: null, d: "1" }], isCut: false };
  const answer = await shop().query("select", [], { numbers });
  assert.equal(answer.rows(), [{ a: 12, b: 1.1, c: null, d: "1" }]);
  for (const a of ["9007199254740993", "NaN", "Infinity", "x"]) {
    result = { rows: [{ a }], isCut: false };
    const inexact = await shop().query("select", [], { numbers });
    for (const read of [() => inexact.rows(), () => inexact.row()]) {
      assert.throws(read, "The database shop has a value in a that no number of JSON is.");
    }
    assert.equal(inexact.content(), [{ type: "text", text: JSON.stringify([{ a }]) }]);
  }
});

test("secrets are masked in rows, and values with NUL are refused", async () => {
  result = { rows: [{ a: "it is postgres://me:s3cretWord@x/", n: { b: [1] } }], isCut: false };
  const answer = await shop().query("select 1");
  assert.equal(answer.rows(), [{ a: "it is [masked]", n: { b: [1] } }]);
  const before = statements.length;
  for (const value of ["a\0b", ["\0"], { a: ["\0"] }]) {
    await expectRefusal(shop().query("select $1", [value]), "must not have the character NUL");
  }
  assert.is(statements.length, before);
});

test("a statement that is not carried out is a warning with its cause, and one that is refused is none", async () => {
  const lines: unknown[][] = [];
  const log = { info: () => undefined, warning: (...line: unknown[]) => void lines.push(line) };
  const cause = { code: "ECONNREFUSED", message: "connect to postgres://me:s3cretWord@x/" };
  for (const [error, fields] of [
    [unreachable("shop", cause), { code: "ECONNREFUSED", cause: "connect to [masked]" }],
    [unreachable("shop"), {}],
    [timeOut("shop", 10), {}],
    [new CallTimeout(10), {}],
    [refusal("shop", "no such table"), undefined],
    [new Error("cancelled"), undefined],
  ] as const) {
    const failing = { ...connections, run: () => Promise.reject(error) };
    const database = shop({ openPostgres: () => failing }, { log });
    await expectRefusal(database.query("select 1"), error.message);
    const expected = { database: "shop", problem: error.message, ...fields };
    assert.equal(lines.splice(0), fields ? [["a statement failed", expected]] : []);
  }
});

test("no statement runs in mock mode", async () => {
  const before = statements.length;
  await expectRefusal(
    shop({}, {}, true).query("select 1"),
    "The database shop is not asked in mock mode",
  );
  assert.is(statements.length, before);
});

test("a SQLite file of an installed package is read and not changed, and the message says what to set", async () => {
  const queries = async (
    place: DatabaseDefinition["place"],
    root: string,
    path: string,
  ): Promise<string[]> => {
    const ofSqlite: ServerDefinition = {
      ...definition,
      databases: [{ name: "notes", type: "sqlite", place, poolSize: 1, timeoutMs: 1000 }],
      openSqlite: () => connections,
    };
    const { signal } = new AbortController();
    const options = { env: { NOTES_DB: path }, root };
    const { notes } = createDatabases(ofSqlite, options).bind({ signal }) as {
      readonly notes: SqliteDatabase;
    };
    const ask = (write: boolean): Promise<string> =>
      notes.query("select 1", {}, { write }).then(
        () => "done",
        ({ message }: Error) => message,
      );
    return [await ask(false), await ask(true)];
  };
  result = { rows: [], isCut: false };
  const installed = "/home/ada/.npm/_npx/0a1b/node_modules/notes";
  const refusal =
    "The database notes is not changed, since the next version of the server replaces its file. Set";
  const variable = { env: "NOTES_DB" };
  assert.equal(await queries(variable, installed, "notes.db"), [
    "done",
    `${refusal} NOTES_DB to an absolute path.`,
  ]);
  assert.equal(await queries("notes.db", installed, ""), [
    "done",
    `${refusal} its \`file\` in the manifest to an absolute path.`,
  ]);
  assert.equal(await queries(variable, installed, "/srv/notes.db"), ["done", "done"]);
  assert.equal(await queries(variable, "/srv/notes", "notes.db"), ["done", "done"]);
});

test("a role must be one of those that the statement takes, and comes after the settings", async () => {
  statements.length = 0;
  result = { rows: [], isCut: false };
  const set = { "app.user": "ada", "app.level": 3, "app.staff": false } as const;
  const oneOf = ["reader", "writer"];
  await shop().query("select 1", [], { set, role: { name: "reader", oneOf } });
  const settings = { "app.user": "ada", "app.level": "3", "app.staff": "false", role: "reader" };
  assert.equal(Object.entries(statements.pop()?.settings ?? {}), Object.entries(settings));
  for (const name of ["owner", "READER", "reader ", "none", ""]) {
    await expectRefusal(
      shop().query("select 1", [], { role: { name, oneOf } }),
      "This needs one of the roles reader, writer, and the caller has none of them",
    );
  }
  await expectRefusal(shop().query("select 1", [], { set: { "app.user": "a\0" } }), "NUL");
  assert.equal(statements, []);
});

test.run();
