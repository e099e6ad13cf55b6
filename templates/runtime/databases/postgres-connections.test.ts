import { suite } from "uvu";
import * as assert from "uvu/assert";
import { Masking } from "../backends/masking.js";
import { LocalPostgres } from "../samples/local-postgres.js";
import { Relay } from "../samples/relay.js";
import type { DatabaseConnections, StatementResult } from "./definition.js";
import { openPostgres } from "./postgres.js";

const unavailableReason = await LocalPostgres.whyWithout();
const test = suite("the connections to a Postgres database");
const postgres = unavailableReason === undefined ? await LocalPostgres.start() : undefined;
const opened: DatabaseConnections[] = [];

/** A pool of one connection over a relay. */
async function openOverRelay(
  timeoutMs: number,
  role = "reader",
): Promise<[DatabaseConnections, Relay]> {
  if (postgres === undefined) throw new Error("Postgres is not there");
  const relay = await Relay.open(postgres.url(role));
  const definition = { name: "shop", type: "postgres", place: { env: "SHOP_DB" } } as const;
  const connections = openPostgres({
    definition: { ...definition, poolSize: 1, timeoutMs },
    ...{ location: relay.url, variable: "SHOP_DB" },
    ...{ masking: new Masking(), root: process.cwd() },
  });
  opened.push(connections);
  return [connections, relay];
}

const neverAborted = new AbortController().signal;

function ask(
  connections: DatabaseConnections,
  text: string,
  { write = false, signal = neverAborted } = {},
): Promise<StatementResult> {
  const limits = { maxRows: 100, maxBytes: 1_048_576 };
  return connections.run({ text, values: [], write, ...limits }, signal);
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Keeps the process from reading anything for a time, as if it were paused. */
function pauseProcess(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

const writtenNumbers = async (): Promise<unknown> =>
  (await postgres?.execute("select coalesce(json_agg(n order by n), '[]') ns from numbers"))?.[0]?.[
    "ns"
  ];

const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "no error",
    (error: Error) => error.message,
  );

test.before(async () => {
  await postgres?.execute(`
    create role reader login; create role single login connection limit 1;
    create table numbers (n int); grant select, insert, delete on numbers to reader;`);
});

test.after(async () => {
  await Promise.all(opened.map((connections) => connections.close()));
  await postgres?.close();
});

test("a connection that breaks during a statement fails this statement only", async () => {
  const [connections, relay] = await openOverRelay(10_000);
  await connections.check();
  const running = ask(connections, "select pg_sleep(58)");
  await sleep(100);
  relay.breakConnections();
  assert.is(await messageOf(running), "The database shop cannot be reached.");
  assert.equal((await ask(connections, "select 1 as a")).rows, [{ a: 1 }]);
  await relay.close();
});

test("a statement on a silent connection ends with its call, and the next one has a new connection", async () => {
  const [connections, relay] = await openOverRelay(500);
  await connections.check();
  relay.fallSilent();
  const call = new AbortController();
  const running = messageOf(ask(connections, "select 1", { signal: call.signal }));
  await sleep(100);
  call.abort(new Error("too late"));
  assert.is(await running, "too late");
  assert.equal((await ask(connections, "select 1 as a")).rows, [{ a: 1 }]);
  await relay.close();
});

test("a time limit may be as long as the database can count", async () => {
  const [connections, relay] = await openOverRelay(2_147_483_647);
  assert.equal((await ask(connections, "select 1 as a from pg_sleep(0.05)")).rows, [{ a: 1 }]);
  await relay.close();
});

test("a write whose answer has come is told as carried out, however late the process reads it", async () => {
  const [connections, relay] = await openOverRelay(200);
  await connections.check();
  const writing = messageOf(
    ask(connections, "insert into numbers select 1 from pg_sleep(0.1)", { write: true }),
  );
  await sleep(20);
  pauseProcess(1_400);
  assert.is(await writing, "no error");
  assert.equal(await writtenNumbers(), [1]);
  await ask(connections, "delete from numbers", { write: true });
  await relay.close();
});

test("a write that ends after its call is not committed", async () => {
  const [connections, relay] = await openOverRelay(5_000);
  await connections.check();
  const call = new AbortController();
  const options = { write: true, signal: call.signal };
  const writing = messageOf(
    ask(connections, "insert into numbers select 2 from pg_sleep(0.1)", options),
  );
  await sleep(20);
  pauseProcess(300);
  call.abort(new Error("too late"));
  assert.is(await writing, "too late");
  await ask(connections, "select 1");
  assert.equal(await writtenNumbers(), []);
  await relay.close();
});

test("a statement waits for a connection longer than a connection may take, and a check for none", async () => {
  const [connections, relay] = await openOverRelay(1_000);
  const slow = Array.from({ length: 4 }, () => ask(connections, "select 1 as a, pg_sleep(0.5)"));
  await sleep(100);
  const isOver = Promise.all(slow).then(() => "over");
  assert.is(await Promise.race([connections.check().then(() => "checked"), isOver]), "checked");
  for (const { rows } of await Promise.all(slow)) assert.is(rows[0]?.["a"], 1);
  await relay.close();
});

test("a check of a busy pool fails if no other connection can be opened", async () => {
  const [connections, relay] = await openOverRelay(5_000);
  const running = ask(connections, "select pg_sleep(1)");
  await sleep(500);
  relay.refuse();
  assert.is(await messageOf(connections.check()), "The database shop cannot be reached.");
  await running;
  await relay.close();
});

test("a check of a busy pool passes if the role may have no other connection", async () => {
  const [connections, relay] = await openOverRelay(5_000, "single");
  const running = ask(connections, "select pg_sleep(1)");
  await sleep(500);
  assert.is(await messageOf(connections.check()), "no error");
  await running;
  await relay.close();
});

test("a check ends if its connection falls silent, beside a busy pool and in the pool", async () => {
  const [connections, relay] = await openOverRelay(1_500);
  const running = ask(connections, "select pg_sleep(1)").then(() => "over");
  await sleep(500);
  relay.fallSilentOnceIdle();
  assert.is(await Promise.race([messageOf(connections.check()), running]), "no error");
  relay.fallSilentOnceIdle(false);
  await running;
  const [others, itsRelay] = await openOverRelay(300);
  itsRelay.fallSilentOnceIdle();
  const late = sleep(3_000).then(() => "it has not ended");
  const unreachable = "The database shop cannot be reached.";
  assert.is(await Promise.race([messageOf(others.check()), late]), unreachable);
  itsRelay.fallSilentOnceIdle(false);
  assert.is(await messageOf(others.check()), "no error");
  await Promise.all([relay.close(), itsRelay.close()]);
});

test("a connection that falls silent after a write is replaced", async () => {
  const [connections, relay] = await openOverRelay(300);
  await connections.check();
  relay.fallSilentOnceIdle();
  assert.is((await ask(connections, "insert into numbers values (3)", { write: true })).changed, 1);
  relay.fallSilentOnceIdle(false);
  const late = AbortSignal.timeout(3_000);
  assert.equal((await ask(connections, "select 1 as a", { signal: late })).rows, [{ a: 1 }]);
  await relay.close();
});

if (unavailableReason !== undefined) {
  const skipped = suite("the connections to a Postgres database");
  skipped.skip("all tests");
  console.log(`skipped: all tests of the connections to Postgres (${unavailableReason})`);
  skipped.run();
} else test.run();
