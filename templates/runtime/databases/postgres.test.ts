import { suite } from "uvu";
import * as assert from "uvu/assert";
import { LocalPostgres } from "../samples/local-postgres.js";
import { Relay } from "../samples/relay.js";
import { Masking } from "../backends/masking.js";
import type { DatabaseConnections, StatementResult, Statement } from "./definition.js";
import { openPostgres } from "./postgres.js";

const unavailableReason = await LocalPostgres.whyWithout();
const test = suite("a Postgres database");
const opened: DatabaseConnections[] = [];
const postgres = unavailableReason === undefined ? await LocalPostgres.start() : undefined;

function open(url: string, { timeoutMs = 10_000, poolSize = 3 } = {}): DatabaseConnections {
  const connections = openPostgres({
    definition: { name: "shop", type: "postgres", place: { env: "SHOP_DB" }, poolSize, timeoutMs },
    location: url,
    variable: "SHOP_DB",
    masking: new Masking(),
    root: process.cwd(),
  });
  opened.push(connections);
  return connections;
}

const defaults = { values: [], write: false, maxRows: 100, maxBytes: 1_048_576 } as const;
const neverAborted = new AbortController().signal;

let shared: DatabaseConnections | undefined;

async function ask(text: string, options: Partial<Statement> = {}): Promise<StatementResult> {
  // The pool has one connection: a statement waits until the connection of the one before is reset.
  shared ??= open(server().url("reader"), { poolSize: 1 });
  return shared.run({ ...defaults, text, ...options }, neverAborted);
}

function server(): LocalPostgres {
  if (postgres === undefined) throw new Error("Postgres is not there");
  return postgres;
}

async function expectRefusal(promise: Promise<unknown>, message: string | RegExp): Promise<void> {
  try {
    await promise;
  } catch (error) {
    return assert.match((error as Error).message, message);
  }
  assert.unreachable("it was not refused");
}

const count = async (): Promise<unknown> =>
  (await server().execute("select count(*)::int as n from items"))[0]?.["n"];

test.before(async () => {
  await server().execute(`
    create table items (id int primary key, name text);
    insert into items values (1, 'one'), (2, 'two');
    create role reader login;
    grant select, insert, update, delete on items to reader;
    create role files login; grant pg_read_server_files to files;
    create role hidden login noinherit; grant owner to hidden;
    create function add_item() returns int language sql as 'insert into items values (9, ''nine'') returning id';`);
});

test.after(async () => {
  await Promise.all(opened.map((connections) => connections.close()));
  await postgres?.close();
});

test("values are bound as parameters, whatever they contain", async () => {
  const texts = [
    ...["'; drop table items; --", "1 or 1=1", "$1", "\\", "'' or ''=''", "\u{1f600}", "x\u2028"],
    ...['"', "/*", "*/", "--", ";", "E'\\''", "$$", "%", "{}", '{"a":1}', "NULL", "", "a\nb\r\n"],
  ];
  for (const text of texts) {
    const { rows } = await ask("select $1::text as said, $1 = any($2::text[]) as among", {
      values: [text, [text, "x"]],
    });
    assert.equal(rows, [{ said: text, among: true }], text);
  }
  assert.is(await count(), 2);
  await expectRefusal(ask("select $1::text", { values: ["a\0b"] }), "invalid byte sequence");
});

test("each type of column becomes the documented JSON value", async () => {
  const { rows } = await ask(
    `select 1::int2 a, 2::int4 b, 9007199254740993::int8 c, 1.10::numeric d, 0.5::float8 e, 'NaN'::float8 f, true g,
      '{"x":[1]}'::jsonb h, '2026-01-31'::date i, '2026-01-31 12:00:00.5'::timestamp j,
      '2026-01-31 12:00:00+02'::timestamptz k, '\\x00ff'::bytea l, null::text m, '1 day'::interval n,
      array[1, null]::int4[] o, array[1]::int8[] p, array['a,b', '"']::text[] q,
      '00000000-0000-0000-0000-000000000001'::uuid r, array[array[true], array[false]] s`,
  );
  assert.equal(rows, [
    {
      ...{ a: 1, b: 2, c: "9007199254740993", d: "1.10", e: 0.5, f: "NaN", g: true },
      ...{ h: { x: [1] }, i: "2026-01-31", j: "2026-01-31T12:00:00.5" },
      ...{ k: "2026-01-31T10:00:00Z", l: "AP8=", m: null, n: "P1D", o: [1, null], p: ["1"] },
      ...{ q: ["a,b", '"'], r: "00000000-0000-0000-0000-000000000001", s: [[true], [false]] },
    },
  ]);
});

test("a statement without a result has no rows, and statements after it or after an error work", async () => {
  assert.equal(await ask("-- nothing"), { rows: [], isCut: false, changed: 0 });
  assert.equal((await ask("select 1 as one")).rows, [{ one: 1 }]);
  await expectRefusal(ask("select 1 / 0"), "division by zero");
  assert.equal((await ask("select 2 as two")).rows, [{ two: 2 }]);
});

test("the database sends no more rows than maxRows", async () => {
  const { rows, isCut } = await ask("select generate_series(1, 100000000) as n", {
    maxRows: 2,
  });
  assert.equal(rows, [{ n: 1 }, { n: 2 }]);
  assert.ok(isCut);
  assert.not((await ask("select id from items", { maxRows: 2 })).isCut);
});

test("no statement leaves the read-only transaction", async () => {
  const statements = [
    "insert into items values (3, 'x')",
    "with gone as (delete from items returning id) select * from gone",
    "select add_item()",
    "select 1; commit; delete from items",
    "commit; delete from items",
    "commit",
    "rollback and chain",
    "begin read write",
    "set transaction read write",
    "set session characteristics as transaction read write",
    "set default_transaction_read_only = off",
    "select set_config('transaction_read_only', 'off', false)",
    "with off as (select set_config('transaction_read_only', 'off', true)) insert into items select 4, 'x' from off",
    "do $$ begin set transaction read write; delete from items; end $$",
    "do $$ begin perform set_config('transaction_read_only', 'off', false); delete from items; end $$",
    "do $$ begin commit; delete from items; end $$",
    "explain analyze delete from items",
    "prepare later as delete from items",
    "execute later",
    "declare c cursor with hold for select 1",
    "create temp table t as select 1",
    "create table t (a int)",
    "drop table items",
    "truncate items",
    "alter table items add column x int",
    "grant all on items to public",
    "lock table items",
    "select nextval('nothing')",
    "copy items from stdin",
    "copy (select 1) to stdout",
    "copy items to '/tmp/items'",
    "copy items from program 'echo 3'",
    "copy (select 1) to program 'touch /tmp/mcpwright-was-here'",
    "select pg_read_file('/etc/passwd')",
    "select lo_import('/etc/passwd')",
    "select pg_ls_dir('/')",
    "set role owner",
    "set session authorization owner",
    "load 'plpgsql'",
    "notify x",
    "listen x",
    "select pg_advisory_lock(1)",
    "vacuum",
    "reindex table items",
    "call nothing()",
    "checkpoint",
    "",
    ";",
    "-- nothing",
  ];
  for (const text of statements) {
    await ask(text).catch((error: Error) => assert.is(error.name, "ToolError", text));
    const { rows } = await ask(
      `select current_setting('transaction_read_only') as mode, current_user::text as role,
        (select count(*)::int from pg_prepared_statements where name = 'later') as prepared,
        (select count(*)::int from pg_locks where locktype = 'advisory') as locks`,
    );
    assert.equal(rows, [{ mode: "on", role: "reader", prepared: 0, locks: 0 }], text);
    assert.is(await count(), 2, text);
  }
});

test("a connection is used again without locks, settings and statements of earlier calls", async () => {
  const pid = async (text: string, options?: Partial<Statement>): Promise<unknown> =>
    (await ask(text, options)).rows[0]?.["pid"];
  const first = await pid("select pg_backend_pid() as pid");
  const statements: (readonly [text: string, options?: Partial<Statement>])[] = [
    ["select pg_advisory_lock(7), set_config('app.x', 'here', false), pg_backend_pid() as pid"],
    // There are more rows than maxRows, and the database may take locks for rows that it does not send.
    [
      "select pg_backend_pid() as pid, pg_advisory_lock(n) from generate_series(1, 9) n",
      { maxRows: 1 },
    ],
    ["select pg_backend_pid() as pid, pg_advisory_lock(8)", { write: true }],
    ["select set_config('app.x', 'here', false), pg_backend_pid() as pid", { write: true }],
  ];
  for (const [text, options] of statements) {
    assert.is(await pid(text, options), first, text);
    const { rows } =
      await ask(`select pg_backend_pid() as pid, current_setting('app.x', true) as setting,
      (select count(*)::int from pg_locks where locktype = 'advisory') as locks,
      (select count(*)::int from pg_prepared_statements) as prepared`);
    const [{ setting, ...state } = {}] = rows;
    assert.not.equal(setting, "here", text);
    assert.equal(state, { pid: first, locks: 0, prepared: 0 }, text);
  }
});

test("a statement that may write runs in one transaction", async () => {
  const write = { write: true };
  assert.is((await ask("insert into items values (5, 'five')", write)).changed, 1);
  const { rows } = await ask("update items set name = $1 where id = 5 returning id", {
    ...write,
    values: ["V"],
  });
  assert.equal(rows, [{ id: 5 }]);
  await expectRefusal(ask("insert into items values (6, 'x'), (1, 'again')", write), "items_pkey");
  assert.is((await ask("delete from items where id = 5", write)).changed, 1);
  assert.is(await count(), 2);
});

test("roles with access to files are refused, whether they have it directly or by membership", async () => {
  for (const [role, problem] of [
    ["owner", "the role owner of the database shop (SHOP_DB) is a superuser"],
    ["files", "is a member of pg_read_server_files"],
    ["hidden", "is a member of owner"],
  ] as const) {
    const connections = open(server().url(role));
    await expectRefusal(connections.check(), problem);
    await expectRefusal(connections.run({ ...defaults, text: "select 1" }, neverAborted), problem);
  }
});

test("messages of errors have no values, and say that a database cannot be reached", async () => {
  await expectRefusal(
    ask("select $1::int", { values: ["s3cret"] }),
    /^The database shop refused the statement: invalid input syntax for type integer: "\u2026"$/,
  );
  await expectRefusal(ask("select nothing"), 'column "nothing" does not exist');
  const unreachable = open("postgres://reader@127.0.0.1:1/x");
  await expectRefusal(unreachable.check(), /^The database shop cannot be reached\.$/);
  await expectRefusal(open(server().url("nobody")).check(), "does not let this server in");
  const otherType = open("mysql://user:password@x/").check();
  await expectRefusal(
    otherType,
    /^The url of the database shop \(SHOP_DB\) must begin with postgres:\/\/\.$/,
  );
});

test("a parameter that Postgres cannot type is refused with the cast that it needs", async () => {
  for (const text of ["select $1 is null", "select sum($1)", "select to_json($1)", "select -$1"]) {
    await expectRefusal(ask(text, { values: [null] }), /; give the parameter a type .*\$1::text$/);
  }
});

test("no message has a value of the statement, whatever the kind of error", async () => {
  const secret = 'pin-9911-"marked" pin-9911';
  const statements = {
    "a number": "select $1::int",
    "a name of a table": "select $1::regclass",
    "a name of a role": "select $1::regrole",
    "words to search for": "select to_tsquery($1)",
    "a path in JSON": "select $1::jsonpath",
    "a pattern": "select 'a' ~ $1",
    "a setting": "select current_setting($1)",
    "a time zone": "select now() at time zone $1",
    "an array": "select $1::int[]",
  };
  for (const [what, text] of Object.entries(statements)) {
    for (const value of [secret, `${secret} ( & | (`, "pin-9911"]) {
      const error = await ask(text, { values: [value] }).then(() => undefined, String);
      assert.not.match(error ?? "", "9911", `${what}: ${error}`);
    }
  }
  await expectRefusal(ask('select "shelf" from items'), 'column "shelf" does not exist');
  await expectRefusal(
    ask("insert into items values ($1::int)", { values: ["1"], write: true }),
    'unique constraint "items_pkey"',
  );
});

test("time limits and cancellations stop the statement in the database", async () => {
  const busy = async (): Promise<unknown> =>
    (
      await server().execute(
        "select count(*)::int n from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()",
      )
    )[0]?.["n"];
  const impatient = open(server().url("reader"), { timeoutMs: 200 });
  await expectRefusal(
    impatient.run({ ...defaults, text: "select pg_sleep(60)" }, neverAborted),
    "within 200 ms",
  );
  const connections = open(server().url("reader"), { poolSize: 1 });
  const controller = new AbortController();
  const running = connections.run({ ...defaults, text: "select pg_sleep(60)" }, controller.signal);
  for (let turn = 0; turn < 500 && (await busy()) === 0; turn++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  const queuedController = new AbortController();
  const queued = connections.run({ ...defaults, text: "select 1" }, queuedController.signal);
  queuedController.abort(new Error("gone"));
  await expectRefusal(queued, "gone");
  controller.abort(new Error("stopped"));
  await expectRefusal(running, "stopped");
  for (let turn = 0; turn < 500 && (await busy()) !== 0; turn++)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal((await connections.run({ ...defaults, text: "select 1 as a" }, neverAborted)).rows, [
    { a: 1 },
  ]);
});

test("an answer may have as many bytes as maxBytes, each value with four more", async () => {
  const text = "select repeat('x', 96) as a from generate_series(1, 10)";
  assert.is((await ask(text, { maxBytes: 1_000 })).rows.length, 10);
  const tooLong = /^The answer of the database shop is longer than 999 bytes\.$/;
  await expectRefusal(ask(text, { maxBytes: 999 }), tooLong);
  const nulls = "select null::int, null::int from generate_series(1, 100)";
  assert.is((await ask(nulls, { maxBytes: 800 })).rows.length, 100);
  await expectRefusal(ask(nulls, { maxBytes: 799 }), "longer than 799 bytes");
  assert.equal((await ask("select 1 as one", { maxBytes: 5 })).rows, [{ one: 1 }]);
});

test("what a database sends is not kept beyond maxBytes: rows, a value, notices, an error", async () => {
  const relay = await Relay.open(server().url("reader"));
  const connections = open(relay.url, { poolSize: 1 });
  const statements: readonly (readonly [text: string, values?: unknown[]])[] = [
    ["select repeat('x', 1000000) as a from generate_series(1, 40)"],
    ["select repeat($1, $2::int) as a", ["x", 40_000_000]],
    ["do $$ begin for n in 1..40 loop raise notice '%', repeat('x', 1000000); end loop; end $$"],
    ["do $$ begin raise exception '%', repeat('x', 40000000); end $$"],
    ["copy (select repeat('x', 1000000) from generate_series(1, 40)) to stdout"],
  ];
  for (const [text, values = []] of statements) {
    const before = relay.bytes;
    const answer = connections.run({ ...defaults, text, values, maxBytes: 100_000 }, neverAborted);
    await expectRefusal(answer, "The answer of the database shop is longer than 100000 bytes.");
    // What is sent until the connection is closed lies in buffers of the system.
    assert.ok(relay.bytes - before < 20_000_000, `${relay.bytes - before} bytes: ${text}`);
    const { rows } = await connections.run({ ...defaults, text: "select 1 as a" }, neverAborted);
    assert.equal(rows, [{ a: 1 }], text);
  }
  await relay.close();
});

test("a statement with too long an answer is ended in the database, and what it wrote is rolled back", async () => {
  await expectRefusal(
    ask("insert into items values (7, 'x') returning repeat('x', 2000)", {
      write: true,
      maxBytes: 1_000,
    }),
    /^The answer of the database shop is longer than 1000 bytes\. The statement was rolled back\.$/,
  );
  assert.is(await count(), 2);
  const text = `select repeat('x', 20000), pg_sleep(case when n = 2 then 59 else 0 end) from generate_series(1, 2) n`;
  await expectRefusal(ask(text, { maxBytes: 1_000 }), "longer than 1000 bytes");
  await expectNone("pg_sleep(case");
  assert.equal((await ask("select 1 as one")).rows, [{ one: 1 }]);
});

/** Waits until the database runs no statement with this text. */
async function expectNone(part: string): Promise<void> {
  const running = `select pid from pg_stat_activity where position('${part}' in query) > 0 and state = 'active' and pid <> pg_backend_pid()`;
  for (let turn = 0; (await server().execute(running)).length > 0; turn++) {
    if (turn === 500) assert.unreachable(`it still runs: ${part}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

if (unavailableReason !== undefined) {
  const skipped = suite("a Postgres database");
  skipped.skip("all tests");
  console.log(`skipped: all tests of Postgres (${unavailableReason})`);
  skipped.run();
} else test.run();
