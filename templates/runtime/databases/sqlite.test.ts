import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Masking } from "../backends/masking.js";
import type { DatabaseConnections, StatementResult, Statement } from "./definition.js";
import { openSqlite } from "./sqlite.js";

const test = suite("a SQLite database");
const folder = await mkdtemp(join(tmpdir(), "sqlite-"));
const file = join(folder, "shop.db");
const opened: DatabaseConnections[] = [];

function open({ timeoutMs = 10_000, poolSize = 2, location = file } = {}): DatabaseConnections {
  const connections = openSqlite({
    definition: { name: "shop", type: "sqlite", place: "shop.db", poolSize, timeoutMs },
    location,
    variable: "",
    masking: new Masking(),
    root: process.cwd(),
  });
  opened.push(connections);
  return connections;
}

const defaults = { values: {}, write: false, maxRows: 100, maxBytes: 1_048_576 } as const;
const neverAborted = new AbortController().signal;
const shared = open();

async function ask(text: string, options: Partial<Statement> = {}): Promise<StatementResult> {
  return shared.run({ ...defaults, text, ...options }, neverAborted);
}

async function expectRefusal(promise: Promise<unknown>, message: string | RegExp): Promise<void> {
  try {
    await promise;
  } catch (error) {
    return assert.match((error as Error).message, message);
  }
  assert.unreachable("it was not refused");
}

const ENDLESS =
  "with recursive t(n) as (select 1 union all select n + 1 from t) select count(*) from t";

/** The children of a process, as Linux lists them. */
async function processesOf(id: number): Promise<string[]> {
  const list = await readFile(`/proc/${id}/task/${id}/children`, "utf8");
  return list.split(" ").filter((child) => child !== "");
}

test.before(async () => {
  await writeFile(file, "");
  await ask("create table items (id integer primary key, name text)", { write: true });
  await ask("insert into items values (1, 'one'), (2, 'two')", { write: true });
});

test.after(async () => {
  await Promise.all(opened.map((connections) => connections.close()));
  await rm(folder, { recursive: true, force: true });
});

test("values are bound as parameters, whatever they contain", async () => {
  const texts = [
    ...["'; drop table items; --", "1 or 1=1", ":said", "?1", "\\", "'' or ''=''", "\u{1f600}"],
    ...['"', "/*", "*/", "--", ";", "`", "]", "%", "{}", '{"a":1}', "NULL", "", "a\nb\r\n"],
  ];
  for (const value of texts) {
    const text = "select :said as said, :said in (select value from json_each(:all)) as among";
    const { rows } = await ask(text, { values: { said: value, all: [value, "x"] } });
    assert.equal(rows, [{ said: value, among: 1 }], value);
  }
  assert.equal((await ask("select count(*) as n from items")).rows, [{ n: 2 }]);
});

test("each type of column becomes the documented JSON value", async () => {
  const { rows } = await ask(
    "select 1 a, 9007199254740993 b, 0.5 c, 'x' d, x'00ff' e, null f, 9e999 g, :yes h, :absent i",
    { values: { yes: true, absent: undefined } },
  );
  const [a, b, c, d, e] = [1, "9007199254740993", 0.5, "x", "AP8="];
  assert.equal(rows, [{ a, b, c, d, e, f: null, g: "Infinity", h: 1, i: null }]);
});

test("SQLite computes no more rows than maxRows", async () => {
  const text = "with recursive t(n) as (select 1 union all select n + 1 from t) select n from t";
  const { rows, isCut } = await ask(text, { maxRows: 2 });
  assert.equal(rows, [{ n: 1 }, { n: 2 }]);
  assert.ok(isCut);
});

test("a statement that may only read neither writes nor opens another file", async () => {
  const other = join(folder, "other.db");
  const statements = [
    "insert into items values (3, 'x')",
    "with t as (select 3) insert into items select *, 'x' from t",
    "delete from items",
    "update items set name = 'x' returning id",
    "drop table items",
    "create table t (a)",
    "create temp table t (a)",
    `attach database '${other}' as other`,
    `/* select */ attach database '${other}' as other`,
    `-- select\nattach database '${other}' as other`,
    `vacuum into '${other}'`,
    `;vacuum into '${other}'`,
    `select 1; vacuum into '${other}'`,
    `explain select 1; attach '${other}' as other`,
    "pragma journal_mode = wal",
    "pragma query_only = off",
    "pragma writable_schema = on",
    `pragma temp_store_directory = '${folder}'`,
    "begin immediate",
    "savepoint x",
    "reindex",
    "analyze",
    "select load_extension('x')",
    `select writefile('${other}', 'x')`,
    "select readfile('/etc/passwd')",
    "\ufeffattach 'x' as y",
    "",
    ";",
  ];
  const before = await readFile(file);
  for (const text of statements) {
    await ask(text).catch((error: Error) => assert.is(error.name, "ToolError", text));
    const { rows } = await ask("select name from pragma_database_list");
    assert.equal(rows, [{ name: "main" }], text);
    assert.equal(await readFile(file), before, text);
    assert.equal(await readdir(folder), ["shop.db"], text);
  }
});

test("the result of a statement that may write has the number of changed rows", async () => {
  const write = { write: true };
  assert.is((await ask("insert into items values (5, 'five'), (6, 'six')", write)).changed, 2);
  const { rows } = await ask("delete from items where id > :id returning id", {
    ...write,
    values: { id: 4 },
  });
  assert.equal(rows, [{ id: 5 }, { id: 6 }]);
  await expectRefusal(
    ask("insert into items values (1, 'again')", write),
    "UNIQUE constraint failed",
  );
});

test("time limits and cancellations end the process of the statement", async () => {
  const impatient = open({ timeoutMs: 300 });
  await expectRefusal(impatient.run({ ...defaults, text: ENDLESS }, neverAborted), "within 300 ms");
  const connections = open({ poolSize: 1 });
  const [controller, queuedController] = [new AbortController(), new AbortController()];
  const running = connections.run({ ...defaults, text: ENDLESS }, controller.signal);
  const queued = connections.run({ ...defaults, text: "select 1" }, queuedController.signal);
  const next = connections.run({ ...defaults, text: "select 1 as a" }, neverAborted);
  queuedController.abort(new Error("gone"));
  await expectRefusal(queued, "gone");
  controller.abort(new Error("stopped"));
  await expectRefusal(running, "stopped");
  assert.equal((await next).rows, [{ a: 1 }]);
});

test("the process of a running statement ends if the server is killed", async () => {
  const module = new URL("./sqlite.js", import.meta.url).href;
  const masking = new URL("../backends/masking.js", import.meta.url).href;
  const script = `
    import { openSqlite } from ${JSON.stringify(module)};
    import { Masking } from ${JSON.stringify(masking)};
    const definition = { name: "shop", type: "sqlite", place: "", poolSize: 1, timeoutMs: 60000 };
    const location = ${JSON.stringify(file)};
    const shop = openSqlite({ definition, location, variable: "", masking: new Masking(), root: process.cwd() });
    const statement = { values: {}, write: false, maxRows: 1, maxBytes: 1000 };
    const { signal } = new AbortController();
    await shop.run({ ...statement, text: "select 1" }, signal);
    void shop.run({ ...statement, text: ${JSON.stringify(ENDLESS)} }, signal);
    console.log("busy");`;
  const argv = ["--no-warnings", "--input-type=module", "-e", script];
  const server = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  await once(server.stdout, "data");
  const children = await processesOf(server.pid ?? 0);
  assert.is(children.length, 1);
  server.kill("SIGKILL");
  await once(server, "exit");
  const isRunning = async (): Promise<boolean> =>
    access(`/proc/${children[0]}`).then(
      () => true,
      () => false,
    );
  for (let turn = 0; turn < 500 && (await isRunning()); turn++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.not(await isRunning());
});

test("the message says that a file is absent or is no database", async () => {
  const absent = open({ location: join(folder, "absent.db") });
  const path = join(folder, "absent.db");
  await expectRefusal(absent.check(), `The file of the database shop is not there: ${path}`);
  const read = absent.run({ ...defaults, text: "select 1" }, neverAborted);
  await expectRefusal(read, "The file of the database shop is not there.");
  assert.not((await readdir(folder)).includes("absent.db"));
  const textFile = join(folder, "text.db");
  await writeFile(textFile, "this is a text, and no database at all: ".repeat(100));
  await expectRefusal(
    open({ location: textFile }).run({ ...defaults, text: "select 1" }, neverAborted),
    /no database|not a database/,
  );
  await expectRefusal(ask("select absent"), "no such column: absent");
});

test("no message has a value of the statement", async () => {
  await ask("create virtual table words using fts5 (word)", { write: true });
  const statements = [
    "select * from words where words match :value",
    "select json_extract('{}', :value)",
    "select json(:value)",
  ];
  for (const text of statements) {
    for (const value of ["pin-9911", 'pin"9911" ( \'', "*pin9911", "pin9911:x", '{"pin9911"']) {
      await expectRefusal(ask(text, { values: { value } }), /^The database shop refused(?!.*9911)/);
    }
  }
  await expectRefusal(ask("select json_extract('{}', '$own')"), "bad JSON path: '$own'");
});

const numbers = (last: number): string =>
  `with recursive t(n) as (select 1 union all select n + 1 from t where n < ${last})`;

test("an answer may have as many bytes as maxBytes, each value with four more", async () => {
  const text = `${numbers(10)} select printf('%.*c', 96, 'x') as a from t`;
  assert.is((await ask(text, { maxBytes: 1_000 })).rows.length, 10);
  const tooLong = /^The answer of the database shop is longer than 999 bytes\.$/;
  await expectRefusal(ask(text, { maxBytes: 999 }), tooLong);
  const nulls = `${numbers(100)} select null, null as b from t`;
  assert.is((await ask(nulls, { maxBytes: 800 })).rows.length, 100);
  await expectRefusal(ask(nulls, { maxBytes: 799 }), "longer than 799 bytes");
  await expectRefusal(ask("select '\u20ac' as a", { maxBytes: 6 }), "longer than 6 bytes");
  await expectRefusal(ask("select x'000000' as a", { maxBytes: 7 }), "longer than 7 bytes");
  assert.equal((await ask("select 1 as one", { maxBytes: 5 })).rows, [{ one: 1 }]);
});

test("what a statement with too long an answer wrote is rolled back", async () => {
  const options = { write: true, maxBytes: 1_000 };
  const rolledBack =
    /^The answer of the database shop is longer than 1000 bytes\. The statement was rolled back\.$/;
  const texts = [
    "insert into items values (7, 'x') returning printf('%.*c', 2000, 'x')",
    "update items set name = printf('%.*c', 600, 'x') returning name",
    `${numbers(100)} insert into items select n + 100, 'x' from t returning id, name, 'xxxxxxxxx'`,
    "-- gone\n/* all */ delete from items returning printf('%.*c', 2000, 'x')",
    "replace into items values (1, 'x') returning printf('%.*c', 2000, 'x')",
  ];
  for (const text of texts) {
    await expectRefusal(ask(text, options), rolledBack);
    const { rows } = await ask("select * from items");
    assert.equal(
      rows,
      [
        { id: 1, name: "one" },
        { id: 2, name: "two" },
      ],
      text,
    );
  }
});

test("a statement that may write keeps its changes if rows are cut, and none if it fails", async () => {
  const write = { write: true };
  const inserting = "insert into items values (8, 'x'), (9, 'y') returning id";
  assert.equal(await ask(inserting, { ...write, maxRows: 1 }), { rows: [{ id: 8 }], isCut: true });
  for (const clause of ["", "or abort", "or fail", "or rollback"]) {
    const failing = ask(`insert ${clause} into items values (1, 'again')`, write);
    await expectRefusal(failing, "UNIQUE constraint failed: items.id");
  }
  assert.is((await ask("delete from items where id > 2", write)).changed, 2);
  await expectRefusal(ask("begin", write), "cannot start a transaction within a transaction");
  assert.equal((await ask("select count(*) as n from items")).rows, [{ n: 2 }]);
});

test("a statement that needs too much memory is ended", async () => {
  const texts = [
    "select length(hex(zeroblob(400000000))) as n",
    `${numbers(4000)} select length(group_concat(printf('%.*c', 200000, 'x'))) as n from t`,
  ];
  for (const text of texts) {
    const needsMore = /^The database shop needed more than 264 MiB of memory for the statement\.$/;
    await expectRefusal(ask(text), needsMore);
    assert.equal((await ask("select 1 as one")).rows, [{ one: 1 }]);
  }
});

const long = "select printf('%.*c', 500000, 'x') as a";

/** The memory of a call, which is full until it is freed. */
function fullMemory() {
  const lengths: number[] = [];
  let free = (): void => undefined;
  const freed = new Promise<void>((resolve) => (free = resolve));
  let isFull = true;
  return {
    lengths,
    free: () => {
      isFull = false;
      free();
    },
    foresee: (bytes: number): Promise<void> | undefined => {
      lengths.push(bytes);
      return isFull ? freed : undefined;
    },
  };
}

test("a long answer that waits for memory leaves its process to other statements", async () => {
  const connections = open({ poolSize: 1 });
  const memory = fullMemory();
  let isReceived = false;
  const waiting = connections.run({ ...defaults, text: long, memory }, neverAborted);
  void waiting.then(() => (isReceived = true));
  const short = { ...defaults, text: "select 1 as a", memory: fullMemory() };
  assert.equal((await connections.run(short, neverAborted)).rows, [{ a: 1 }]);
  assert.equal(short.memory.lengths, [], "a short answer needs no memory");
  assert.not(isReceived);
  assert.equal(memory.lengths, [500_004]);
  memory.free();
  assert.is(String((await waiting).rows[0]?.["a"]).length, 500_000);
});

test("the time for which an answer waits for memory is no time of its statement", async () => {
  const connections = open({ poolSize: 1, timeoutMs: 2_000 });
  const memory = fullMemory();
  const waiting = connections.run({ ...defaults, text: long, memory }, neverAborted);
  setTimeout(memory.free, 2_500);
  assert.is((await waiting).rows.length, 1);
});

test("a call that is cancelled while it waits for memory ends, and its process goes on", async () => {
  const connections = open({ poolSize: 1 });
  const cancelling = new AbortController();
  const foresee = async (): Promise<void> => {
    setImmediate(() => cancelling.abort(new Error("stopped")));
    await new Promise((resolve) => setTimeout(resolve, 100));
    throw new Error("no memory");
  };
  const statement = { ...defaults, text: long, memory: { foresee } };
  await expectRefusal(connections.run(statement, cancelling.signal), "stopped");
  assert.equal((await connections.run({ ...defaults, text: "select 1 as a" }, neverAborted)).rows, [
    { a: 1 },
  ]);
});

test("a statement that may write runs once, and its answer is received whatever memory there is", async () => {
  const memory = fullMemory();
  const text = "insert into items values (7, 'x') returning printf('%.*c', 500000, 'x') as a";
  const { rows } = await ask(text, { write: true, memory });
  assert.is(String(rows[0]?.["a"]).length, 500_000);
  assert.is((await ask("delete from items where id = 7", { write: true })).changed, 1);
  assert.equal(memory.lengths, []);
});

if (process.getBuiltinModule("node:sqlite") === undefined) {
  const skipped = suite("a SQLite database");
  skipped.skip("all tests");
  console.log("skipped: all tests of SQLite (this Node.js has no node:sqlite)");
  skipped.run();
} else test.run();
