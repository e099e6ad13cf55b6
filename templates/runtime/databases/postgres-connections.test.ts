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
async function openOverRelay(timeoutMs: number): Promise<[DatabaseConnections, Relay]> {
  if (postgres === undefined) throw new Error("Postgres is not there");
  const relay = await Relay.open(postgres.url("reader"));
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

function ask(connections: DatabaseConnections, text: string): Promise<StatementResult> {
  const limits = { maxRows: 100, maxBytes: 1_048_576 };
  return connections.run({ text, values: [], write: false, ...limits }, neverAborted);
}

const messageOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "no error",
    (error: Error) => error.message,
  );

test.before(async () => {
  await postgres?.execute("create role reader login");
});

test.after(async () => {
  await Promise.all(opened.map((connections) => connections.close()));
  await postgres?.close();
});

test("a connection that breaks during a statement fails this statement only", async () => {
  const [connections, relay] = await openOverRelay(10_000);
  await connections.check();
  const running = ask(connections, "select pg_sleep(58)");
  await new Promise((resolve) => setTimeout(resolve, 100));
  relay.breakConnections();
  assert.is(await messageOf(running), "The database shop cannot be reached.");
  assert.equal((await ask(connections, "select 1 as a")).rows, [{ a: 1 }]);
  await relay.close();
});

test("a connection over which nothing comes any more fails this statement only, and in time", async () => {
  const [connections, relay] = await openOverRelay(500);
  await connections.check();
  relay.fallSilent();
  const message = "The database shop did not answer within 500 ms.";
  assert.is(await messageOf(ask(connections, "select 1")), message);
  assert.equal((await ask(connections, "select 1 as a")).rows, [{ a: 1 }]);
  await relay.close();
});

test("a statement waits for a connection longer than a connection may take, and a check for none", async () => {
  const [connections, relay] = await openOverRelay(1_000);
  const slow = Array.from({ length: 4 }, () => ask(connections, "select 1 as a, pg_sleep(0.5)"));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const isOver = Promise.all(slow).then(() => "over");
  assert.is(await Promise.race([connections.check().then(() => "checked"), isOver]), "checked");
  for (const { rows } of await Promise.all(slow)) assert.is(rows[0]?.["a"], 1);
  await relay.close();
});

test("a check of a busy pool fails if no other connection can be opened", async () => {
  const [connections, relay] = await openOverRelay(5_000);
  const running = ask(connections, "select pg_sleep(1)");
  await new Promise((resolve) => setTimeout(resolve, 500));
  relay.refuse();
  assert.is(await messageOf(connections.check()), "The database shop cannot be reached.");
  await running;
  await relay.close();
});

if (unavailableReason !== undefined) {
  const skipped = suite("the connections to a Postgres database");
  skipped.skip("all tests");
  console.log(`skipped: all tests of the connections to Postgres (${unavailableReason})`);
  skipped.run();
} else test.run();
