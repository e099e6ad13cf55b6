import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createClient } from "@redis/client";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { ServerDefinition } from "../engine/definition.js";
import { LiveState } from "../changes/live-state.js";
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
const whyNoRedis = await LocalRedis.whyWithout();
const redis = whyNoRedis === undefined ? await LocalRedis.start() : undefined;
const openReplicas: Replica[] = [];
test.after.each(async () => {
  await Promise.all(openReplicas.splice(0).map((replica) => replica.replicas.close()));
});
test.after(() => redis?.stop());

const answer = erased(() => "x");

/** Each test gives another name, so that its keys in Redis are its own. */
function definitionOf(name: string): ServerDefinition {
  return {
    ...sampleServer,
    info: { ...sampleServer.info, name },
    tools: [{ ...tool("extra", answer), enabled: false }],
    prompts: sampleServer.prompts.map((entry) => ({ ...entry, enabled: true })),
    limits: { ratePerSecond: 20 },
    scale: { redis: { env: "REDIS_URL" }, share: ["events", "switches", "rates"] },
    shareChanges,
    usesNonces: true,
    shareRates,
  };
}

interface Replica {
  readonly state: LiveState;
  readonly replicas: Replicas;
  /** The events that its clients got, as `principal: kind uri`. */
  readonly events: string[];
  readonly lines: string[];
}

/** The events that clients get after some may have been missed. */
const CATCH_UP_EVENTS = ["ada", "bob", "nobody"].flatMap((name) => [
  `${name}: resources_list_changed`,
  `${name}: resource_updated watched://${name}`,
]);

async function join(name: string, url = redis?.url): Promise<Replica> {
  const definition = definitionOf(name);
  const live = new LiveState(definition);
  const lines: string[] = [];
  const log = createLog({ write: (line) => void lines.push(line) });
  const replicas = await joinReplicas(definition, { env: { REDIS_URL: url }, controls: live, log });
  if (replicas === undefined) throw new Error("the replica has not joined");
  const events: string[] = [];
  for (const principal of ["ada", "bob", undefined]) {
    const name = principal ?? "nobody";
    const listener = { principal, watched: () => [`watched://${name}`] };
    live.events.subscribe((event) => {
      const uri = event.kind === "resource_updated" ? ` ${event.uri}` : "";
      events.push(`${name}: ${event.kind}${uri}`);
    }, listener);
  }
  const replica = { state: live, replicas, events, lines };
  openReplicas.push(replica);
  return replica;
}

/** Registers a test that needs Redis. */
function withRedis(name: string, run: (redis: LocalRedis) => Promise<void>): void {
  if (redis !== undefined) return test(name, () => run(redis));
  console.log(`skipped: ${name} (${whyNoRedis})`);
  test.skip(name);
}

withRedis(
  "an event reaches the clients of every replica once, or those of one principal only",
  async () => {
    const [first, second] = [await join("events"), await join("events")];
    const foreign = await join("another-server");
    first.state.notify.resourceUpdated("a://b", { principal: "ada" });
    await until(() => second.events.length > 0);
    second.state.notify.resourcesChanged();
    await until(() => first.events.length === 4);
    const eventsOfAll = ["ada", "bob", "nobody"].map((name) => `${name}: resources_list_changed`);
    const expected = ["ada: resource_updated a://b", ...eventsOfAll];
    assert.equal([first.events, second.events], [expected, expected]);
    assert.equal(foreign.events, []);
  },
);

withRedis("what may be used once is used once by all replicas, and not without Redis", async () => {
  const [first, second] = [await join("nonces"), await join("nonces")];
  const foreign = await join("other-nonces");
  const nonces = [first, second].map(({ replicas }) => replicas.nonces);
  const expires = Date.now() + 60_000;
  const redeemed = await Promise.all(
    Array.from({ length: 20 }, (_, index) => nonces[index % 2]?.redeem("once", expires, "ada")),
  );
  assert.equal(redeemed.sort(), ["redeemed", ...Array<string>(19).fill("used")]);
  assert.is(await foreign.replicas.nonces?.redeem("once", expires, "ada"), "redeemed");
  assert.is(new Set(nonces.map((one) => one?.issuer)).size, 1);
  await first.replicas.close();
  assert.is(await nonces[0]?.redeem("another", expires, "ada"), "unknown");
});

withRedis("each caller has room for so many used answers in Redis, also at once", async (redis) => {
  const [first, second] = [await join("bounded"), await join("bounded")];
  const redeem = async (nonce: string, holder: string, lifeMs = 60_000): Promise<unknown> => {
    const { nonces } = (Number(nonce) % 2 === 0 ? first : second).replicas;
    return nonces?.redeem(nonce, Date.now() + lifeMs, holder);
  };
  await Promise.all(
    Array.from({ length: 990 }, (_none, index) => redeem(String(index), "principal greedy")),
  );
  const last = await Promise.all(
    Array.from({ length: 30 }, (_none, index) => redeem(String(2_000 + index), "principal greedy")),
  );
  assert.equal(last.sort(), [...Array<string>(20).fill("full"), ...Array(10).fill("redeemed")]);
  assert.is(await redeem("0", "principal greedy"), "used");
  assert.is(await redeem("0", "principal honest"), "used");
  assert.is(await redeem("3000", "address greedy"), "redeemed");
  assert.is(await redeem("3001", "principal brief", 50), "redeemed");
  const named = "mcp:bounded:v1:nonces:principal brief";
  const brief = `*2\r\n$6\r\nEXISTS\r\n$${named.length}\r\n${named}`;
  await until(async () => (await redis.send(brief)).startsWith(":0"));
  const [all, own] = [":1001", ":1000"];
  const count = async (key: string): Promise<string> =>
    (await redis.send(`*2\r\n$5\r\nZCARD\r\n$${key.length}\r\n${key}`)).trim();
  // The next one removes what has expired.
  assert.is(await redeem("0", "principal brief"), "used");
  assert.is(await count("mcp:bounded:v1:nonces"), all);
  assert.is(await count("mcp:bounded:v1:nonces:principal greedy"), own);
});

withRedis("what all callers use together in Redis is bounded, too", async (redis) => {
  const { replicas } = await join("crowded");
  const fill = `for index = 1, 100000 do redis.call("ZADD", KEYS[1], 9e15, index) end`;
  const client = createClient({ url: redis.url });
  await client.connect();
  await client.eval(fill, { keys: ["mcp:crowded:v1:nonces"] });
  const redeem = async (nonce: string) =>
    replicas.nonces?.redeem(nonce, Date.now() + 60_000, "principal ada");
  assert.is(await redeem("late"), "full");
  assert.is(await redeem("1"), "used");
  await client.zRem("mcp:crowded:v1:nonces", "2");
  assert.is(await redeem("late"), "redeemed");
  client.destroy();
});

withRedis(
  "messages of no known form on the channel reach no client and end nothing",
  async (redis) => {
    const [first, second] = [await join("hostile"), await join("hostile")];
    const texts = ["", "null", "[]", "5", "{", '"x"', '{"from":1}', "[".repeat(5_000)];
    const event = { kind: "resource_updated", uri: "a://b" };
    const messages: unknown[] = [
      ...[null, 5, "x", [], {}, { event: null }, { event: 5 }, { event: {} }, { doubt: "true" }],
      ...[5, null, { toString: 1 }, ["ada"]].map((principal) => ({ event, principal })),
      ...[5, null, { toString: 1 }, undefined].map((uri) => ({ event: { ...event, uri } })),
      ...["toString", "__proto__", 5, {}].map((kind) => ({ event: { ...event, kind } })),
      { switched: { toString: 1 } },
    ];
    const channel = "mcp:hostile:v1:changes:0";
    for (const text of [...texts, ...messages.map((message) => JSON.stringify({ message }))]) {
      const size = Buffer.byteLength(text);
      const name = `$${channel.length}\r\n${channel}`;
      await redis.send(`*3\r\n$7\r\nPUBLISH\r\n${name}\r\n$${size}\r\n${text}`);
    }
    await redis.send(
      "HSET mcp:hostile:v1:switches toString/x 1 tools/toString 1 __proto__/a 1 tools 1",
    );
    second.state.tools.enable("extra");
    await until(() => first.state.tools.isEnabled("extra"));
    first.state.notify.resourceUpdated("a://private", { principal: "ada" });
    await until(() => second.events.includes("ada: resource_updated a://private"));
    assert.equal(
      second.events.filter((line) => line.includes("resource_updated")),
      ["ada: resource_updated a://private"],
    );
    assert.is(second.replicas.problem, undefined);
  },
);

withRedis("a switch applies to every replica, also to one that starts later", async () => {
  const [first, second] = [await join("switches"), await join("switches")];
  first.state.tools.enable("extra");
  await until(() => second.state.tools.isEnabled("extra"));
  assert.is(second.events.filter((line) => line === "ada: tools_list_changed").length, 1);
  const later = await join("switches");
  assert.is(later.state.tools.isEnabled("extra"), true);
  later.state.tools.disable("extra");
  await until(
    () => !first.state.tools.isEnabled("extra") && !second.state.tools.isEnabled("extra"),
  );
});

withRedis("replicas that change a switch at the same time end in the same state", async () => {
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

withRedis(
  "a flood of messages is handled at once, and counted in one line of the log",
  async () => {
    const { state, events, lines } = await join("floods");
    const sender = createClient({ url: redis?.url as string });
    await sender.connect();
    const flood = async (messageOf: (index: number) => unknown): Promise<void> => {
      const channel = "mcp:floods:v1:changes:0";
      const texts = Array.from({ length: 5_000 }, (_, index) => JSON.stringify(messageOf(index)));
      // A script publishes all at once. On a busy machine, single commands would come too slowly to be a flood.
      const publish = `for _, text in ipairs(ARGV) do redis.call("PUBLISH", KEYS[1], text) end`;
      await sender.eval(publish, { keys: [channel], arguments: texts });
    };
    const event = { kind: "tools_list_changed" };
    await flood((index) => ({ from: `other ${index}`, message: { event, index } }));
    await until(() => events.length >= 3);
    assert.ok(events.length <= 30, `${events.length} events for 5000 messages`);
    let reads = 0;
    const readsOf = state.tools.apply.bind(state.tools);
    state.tools.apply = (name, isOn) => ((reads += 1), readsOf(name, isOn));
    state.tools.enable("extra");
    await flood(() => ({ from: "other", message: { switched: true } }));
    await flood(() => "no message");
    await flood((index) => ({
      message: { event: { kind: "resource_updated", uri: `a://${index}` } },
    }));
    await until(() => events.includes(CATCH_UP_EVENTS[1] as string));
    assert.ok(reads <= 30, `the switches were read ${reads} times`);
    assert.not.ok(
      events.some((line) => line.includes("a://")),
      "none of too many was sent",
    );
    const dropped = lines.filter((line) => line.includes("were dropped, as too many came"));
    assert.is(dropped.length, 1, dropped.join(""));
    // Later messages are handled as before.
    await sender.publish(
      "mcp:floods:v1:changes:0",
      JSON.stringify({ message: { event: { kind: "resource_updated", uri: "b://" } } }),
    );
    await until(() => events.includes("ada: resource_updated b://"));
    sender.destroy();
  },
);

withRedis("a client has one request budget for all replicas together", async () => {
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

test("a process without the variable shares nothing, and an unusable URL of Redis is refused", async () => {
  const log = createLog({ write: () => undefined });
  const live = new LiveState(definitionOf("alone"));
  const joinWith = (env: object) =>
    joinReplicas(definitionOf("alone"), { env, controls: live, log });
  assert.is(await joinWith({}), undefined);
  const errorOf = async (REDIS_URL: string): Promise<string> =>
    joinWith({ REDIS_URL }).then(() => "", String);
  assert.match(await errorOf("http://secret@x"), /REDIS_URL must be a URL that begins with redis/);
  const unreachable = await errorOf("redis://:secret@127.0.0.1:1");
  assert.match(unreachable, /Redis cannot be used, which REDIS_URL names: .*ECONNREFUSED/);
  assert.not.match(unreachable, /secret/);
});

withRedis("replicas that use different databases of one Redis share nothing", async (redis) => {
  const [first, second] = [await join("databases"), await join("databases", `${redis.url}/1`)];
  const later = await join("databases", `${redis.url}/1`);
  first.state.notify.resourcesChanged();
  first.state.tools.enable("extra");
  later.state.notify.resourceUpdated("a://b", { principal: "ada" });
  await until(() => second.events.length > 0);
  assert.equal(second.events, ["ada: resource_updated a://b"]);
  assert.is((await join("databases", `${redis.url}/1`)).state.tools.isEnabled("extra"), false);
});

withRedis("connected replicas restore the switches that Redis has lost", async (redis) => {
  const first = await join("emptied");
  first.state.tools.enable("extra");
  const isWritten = async () =>
    (await redis.send("HGET mcp:emptied:v1:switches tools/extra")).startsWith("$1");
  await until(isWritten);
  await redis.send("FLUSHALL");
  await until(isWritten);
  assert.is((await join("emptied")).state.tools.isEnabled("extra"), true);
});

withRedis("writes that Redis refused are retried, even if no request comes", async () => {
  const ownRedis = await LocalRedis.start();
  try {
    const [first, second] = [await join("full", ownRedis.url), await join("full", ownRedis.url)];
    for (const [refuse, accept] of [
      ["CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"],
      ["REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"],
    ]) {
      await ownRedis.send(refuse!);
      const isOn = !first.state.tools.isEnabled("extra");
      if (isOn) first.state.tools.enable("extra");
      else first.state.tools.disable("extra");
      first.replicas.rates?.take("10.0.0.1", performance.now());
      await until(() => first.replicas.problem !== undefined);
      await ownRedis.send(accept!);
      await until(() => first.replicas.problem === undefined);
      await until(() => second.state.tools.isEnabled("extra") === isOn);
    }
  } finally {
    await ownRedis.stop();
  }
});

withRedis("replicas share events and switches again after Redis restarts empty", async () => {
  const ownRedis = await LocalRedis.start();
  try {
    const [first, second] = [
      await join("restart", ownRedis.url),
      await join("restart", ownRedis.url),
    ];
    first.state.tools.enable("extra");
    await until(() => second.state.tools.isEnabled("extra"));
    await ownRedis.stop();
    await until(
      () => first.replicas.problem !== undefined && second.replicas.problem !== undefined,
    );
    second.events.length = 0;
    // More events than the queue can hold.
    for (let index = 0; index <= 1_000; index++) first.state.notify.resourceUpdated(`a://${index}`);
    assert.is(new HttpRateLimit(20, first.replicas.rates).take("10.0.0.1"), 0);
    first.state.prompts.disable("summary");
    await ownRedis.startAgain();
    await until(
      () => first.replicas.problem === undefined && second.replicas.problem === undefined,
    );
    await until(() => !second.state.prompts.isEnabled("summary"));
    // At least once, because of its own reconnect. Messages sent before its reconnect do not reach it.
    await until(() => CATCH_UP_EVENTS.every((line) => second.events.includes(line)));
    const later = await join("restart", ownRedis.url);
    assert.is(later.state.tools.isEnabled("extra"), true, "the switch is in Redis again");
    assert.is(first.lines.filter((line) => line.includes("not shared")).length, 1);
    assert.is(
      first.lines.filter((line) => line.includes("shared with other replicas again")).length,
      1,
    );
  } finally {
    await ownRedis.stop();
  }
});

/** The bytes of the heap that are in use after garbage collection. */
function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

test("a pause with a signal that never aborts leaks no memory", async () => {
  const { signal } = new AbortController();
  const waitOften = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      await Promise.all(Array.from({ length: 1_000 }, () => pause(0, signal)));
    }
  };
  await waitOften(4);
  const before = usedBytes();
  await waitOften(12);
  const bytesPerWait = (usedBytes() - before) / 12_000;
  assert.ok(bytesPerWait < 100, `${bytesPerWait} bytes of each wait`);
  assert.is(signal.aborted, false);
});

test.run();
