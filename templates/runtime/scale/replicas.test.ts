import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ServerDefinition } from "../engine/definition.js";
import { ServerState } from "../changes/live-state.js";
import { HttpRateLimit } from "../http/rate-limit.js";
import { createLog } from "../observe/log.js";
import { LocalRedis } from "../samples/local-redis.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import { until } from "../samples/until.js";
import type { Replicas } from "../http/replicas.js";
import { pause } from "./redis-connection.js";
import { joinReplicas } from "./replicas.js";
import { shareChanges } from "./shared-changes.js";
import { shareRates } from "./shared-rates.js";

const test = suite("replicas that share through Redis");
const absence = await LocalRedis.whyWithout();
const redis = absence === undefined ? await LocalRedis.start() : undefined;
const open: Replica[] = [];
test.after.each(async () => {
  await Promise.all(open.splice(0).map((replica) => replica.replicas.close()));
});
test.after(() => redis?.stop());

const answer = erased(() => "x");

/** Each test has a name of its own, and so keys of its own. */
function definitionOf(name: string): ServerDefinition {
  return {
    ...sampleServer,
    info: { ...sampleServer.info, name },
    tools: [{ ...tool("extra", answer), enabled: false }],
    prompts: sampleServer.prompts.map((entry) => ({ ...entry, enabled: true })),
    limits: { ratePerSecond: 20 },
    scale: { redis: { env: "REDIS_URL" }, share: ["events", "switches", "rates"] },
    shareChanges,
    shareRates,
  };
}

interface Replica {
  readonly state: ServerState;
  readonly replicas: Replicas;
  /** What its clients were told: `kind uri`, for whom they listen. */
  readonly told: string[];
  readonly lines: string[];
}

/** What clients are told where others may have been missed. */
const DOUBT = ["ada", "bob", "nobody"].flatMap((name) => [
  `${name}: resources_list_changed`,
  `${name}: resource_updated watched://${name}`,
]);

async function join(name: string, url = redis?.url): Promise<Replica> {
  const definition = definitionOf(name);
  const live = new ServerState(definition);
  const lines: string[] = [];
  const log = createLog({ write: (line) => void lines.push(line) });
  const replicas = await joinReplicas(definition, { env: { REDIS_URL: url }, live, log });
  if (replicas === undefined) throw new Error("the replica stands alone");
  const told: string[] = [];
  for (const principal of ["ada", "bob", undefined]) {
    const name = principal ?? "nobody";
    const listening = { principal, watched: () => [`watched://${name}`] };
    live.events.subscribe((event) => {
      const uri = event.kind === "resource_updated" ? ` ${event.uri}` : "";
      told.push(`${name}: ${event.kind}${uri}`);
    }, listening);
  }
  const replica = { state: live, replicas, told, lines };
  open.push(replica);
  return replica;
}

/** Registers a test that needs Redis. */
function withRedis(name: string, run: (redis: LocalRedis) => Promise<void>): void {
  if (redis !== undefined) return test(name, () => run(redis));
  console.log(`skipped: ${name} (${absence})`);
  test.skip(name);
}

withRedis(
  "an event reaches the clients of every replica, once, and of one principal alone",
  async () => {
    const [one, other] = [await join("events"), await join("events")];
    const foreign = await join("another-server");
    one.state.notify.resourceUpdated("a://b", { principal: "ada" });
    await until(() => other.told.length > 0);
    other.state.notify.resourcesChanged();
    await until(() => one.told.length === 4);
    const everybody = ["ada", "bob", "nobody"].map((name) => `${name}: resources_list_changed`);
    const expected = ["ada: resource_updated a://b", ...everybody];
    assert.equal([one.told, other.told], [expected, expected]);
    assert.equal(foreign.told, []);
  },
);

withRedis("a switch holds in every replica, also in one that starts later", async () => {
  const [one, other] = [await join("switches"), await join("switches")];
  one.state.tools.enable("extra");
  await until(() => other.state.tools.isEnabled("extra"));
  assert.is(other.told.filter((line) => line === "ada: tools_list_changed").length, 1);
  const later = await join("switches");
  assert.is(later.state.tools.isEnabled("extra"), true);
  later.state.tools.disable("extra");
  await until(() => !one.state.tools.isEnabled("extra") && !other.state.tools.isEnabled("extra"));
});

withRedis("replicas that switch at the same time come to the same state", async () => {
  const replicas = await Promise.all(Array.from({ length: 4 }, () => join("races")));
  for (let round = 0; round < 25; round++) {
    replicas.forEach(({ state: { tools } }, index) => {
      if ((round + index) % 2 === 0) tools.enable("extra");
      else tools.disable("extra");
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
  const last = await join("races");
  await until(() =>
    replicas.every(
      ({ state }) => state.tools.isEnabled("extra") === last.state.tools.isEnabled("extra"),
    ),
  );
});

withRedis("a client has one budget over all replicas", async () => {
  const joined = [await join("rates"), await join("rates"), await join("rates")];
  const limits = joined.map(({ replicas }) => new HttpRateLimit(20, replicas.rates));
  let passed = 0;
  for (let turn = 0; turn < 60; turn++) {
    if (limits[turn % 3]?.take("10.0.0.1") === 0) passed += 1;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  assert.ok(passed >= 20 && passed <= 26, `${passed} of 60 passed`);
  assert.is(limits[0]?.take("10.0.0.2"), 0, "another client has a budget of its own");
});

test("without the variable a process stands alone, and a URL of another kind is refused", async () => {
  const log = createLog({ write: () => undefined });
  const live = new ServerState(definitionOf("alone"));
  const joining = (env: object) => joinReplicas(definitionOf("alone"), { env, live, log });
  assert.is(await joining({}), undefined);
  const refusal = async (REDIS_URL: string): Promise<string> =>
    joining({ REDIS_URL }).then(() => "", String);
  assert.match(await refusal("http://secret@x"), /REDIS_URL must be a URL that begins with redis/);
  const unreachable = await refusal("redis://:secret@127.0.0.1:1");
  assert.match(unreachable, /Redis cannot be used, which REDIS_URL names: .*ECONNREFUSED/);
  assert.not.match(unreachable, /secret/);
});

withRedis("databases of one Redis are apart", async (redis) => {
  const [one, other] = [await join("databases"), await join("databases", `${redis.url}/1`)];
  const later = await join("databases", `${redis.url}/1`);
  one.state.notify.resourcesChanged();
  one.state.tools.enable("extra");
  later.state.notify.resourceUpdated("a://b", { principal: "ada" });
  await until(() => other.told.length > 0);
  assert.equal(other.told, ["ada: resource_updated a://b"]);
  assert.is((await join("databases", `${redis.url}/1`)).state.tools.isEnabled("extra"), false);
});

withRedis("what Redis has lost is written again while replicas are connected", async (redis) => {
  const one = await join("emptied");
  one.state.tools.enable("extra");
  const isWritten = async () =>
    (await redis.send("HGET mcp:emptied:v1:switches tools/extra")).startsWith("$1");
  await until(isWritten);
  await redis.send("FLUSHALL");
  await until(isWritten);
  assert.is((await join("emptied")).state.tools.isEnabled("extra"), true);
});

withRedis("what Redis refused is tried again, though no request comes", async () => {
  const own = await LocalRedis.start();
  try {
    const [one, other] = [await join("full", own.url), await join("full", own.url)];
    for (const [refuse, accept] of [
      ["CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"],
      ["REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"],
    ]) {
      await own.send(refuse!);
      const isOn = !one.state.tools.isEnabled("extra");
      if (isOn) one.state.tools.enable("extra");
      else one.state.tools.disable("extra");
      one.replicas.rates?.take("10.0.0.1", performance.now());
      await until(() => one.replicas.problem !== undefined);
      await own.send(accept!);
      await until(() => one.replicas.problem === undefined);
      await until(() => other.state.tools.isEnabled("extra") === isOn);
    }
  } finally {
    await own.stop();
  }
});

withRedis("what replicas share survives a Redis that is restarted, and empty", async () => {
  const own = await LocalRedis.start();
  try {
    const [one, other] = [await join("restart", own.url), await join("restart", own.url)];
    one.state.tools.enable("extra");
    await until(() => other.state.tools.isEnabled("extra"));
    await own.stop();
    await until(() => one.replicas.problem !== undefined && other.replicas.problem !== undefined);
    other.told.length = 0;
    // More than can wait for Redis.
    for (let index = 0; index <= 1_000; index++) one.state.notify.resourceUpdated(`a://${index}`);
    assert.is(new HttpRateLimit(20, one.replicas.rates).take("10.0.0.1"), 0);
    one.state.prompts.disable("summary");
    await own.startAgain();
    await until(() => one.replicas.problem === undefined && other.replicas.problem === undefined);
    await until(() => !other.state.prompts.isEnabled("summary"));
    // At least once, for its own outage: what the other replica sent before it was back is lost.
    await until(() => DOUBT.every((line) => other.told.includes(line)));
    const later = await join("restart", own.url);
    assert.is(later.state.tools.isEnabled("extra"), true, "what Redis had lost is there again");
    assert.is(one.lines.filter((line) => line.includes("not shared")).length, 1);
    assert.is(
      one.lines.filter((line) => line.includes("shared with other replicas again")).length,
      1,
    );
  } finally {
    await own.stop();
  }
});

/** Bytes that are in use, after what is garbage was collected. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

test("waiting for something that lasts leaves nothing behind", async () => {
  const { signal } = new AbortController();
  const waitOften = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      await Promise.all(Array.from({ length: 1_000 }, () => pause(0, signal)));
    }
  };
  await waitOften(10);
  const before = usedBytes();
  await waitOften(30);
  const each = (usedBytes() - before) / 30_000;
  assert.ok(each < 100, `${each} bytes of each wait`);
  assert.is(signal.aborted, false);
});

test.run();
