import { suite } from "uvu";
import * as assert from "uvu/assert";
import { createAsking } from "../asking/asking.js";
import type { Authentication } from "../authentication/authentication.js";
import { limitsOf } from "../engine/limits.js";
import { createLog } from "../observe/log.js";
import { askingParts, sampleAsks, type AskingHandler } from "../samples/asking.js";
import { refusal } from "../samples/engine.js";
import { listen, listenMessage, statesIn, TaskStream } from "../samples/followed-tasks.js";
import { LocalRedis } from "../samples/local-redis.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import { TaskSample, type TaskClient } from "../samples/tasks.js";
import { until } from "../samples/until.js";
import { RedisConnection } from "./redis-connection.js";
import { longestSharedTask, shareTasks } from "./shared-tasks.js";

const test = suite("tasks of replicas");
const whyNoRedis = await LocalRedis.whyWithout();
const redis = whyNoRedis === undefined ? await LocalRedis.start() : undefined;
/** Longer than replicas take to notice that Redis is away, or they would take each other for dead meanwhile. */
const leaseMs = 6_000;
const mostBytes = longestSharedTask + 3_000_000;
const ann: Authentication = { principal: "ann", scopes: [] };

/** A replica whose tool ends, asks or works as its argument says. */
class Replica {
  readonly sample: TaskSample;
  readonly connection: RedisConnection;
  signal: AbortSignal | undefined;
  end: (text: string) => void = () => undefined;

  private constructor(name: string, limits: { tasks?: number }) {
    const log = createLog({ write: () => undefined });
    const definition = { ...sampleServer, limits };
    this.connection = new RedisConnection(redis?.url ?? "", `${name}:`, log);
    const sharing = { definition, limits: limitsOf(definition) };
    const taskStore = shareTasks(this.connection, sharing, { leaseMs, mostBytes });
    const handler: AskingHandler = async ({ what }, ctx) => {
      this.signal = ctx.signal;
      if (what === "ask") return (await ctx.elicit.name()).name;
      if (what === "half") return "x".repeat(mostBytes / 2);
      if (what === "long") return "x".repeat(longestSharedTask);
      await ctx.progress(1, 2, "Working");
      return new Promise<string>((resolve) => (this.end = resolve));
    };
    const parts = { ...askingParts, limits, createHandlerRunner: createAsking };
    const code = erased(handler as never);
    this.sample = new TaskSample(
      [tool("it", code, { open: true, asks: sampleAsks, task: {} })],
      parts,
      { taskStore, requestStateKeys: ["k".repeat(32)] },
    );
  }

  static async open(name: string, limits = {}): Promise<Replica> {
    const replica = new Replica(name, limits);
    await replica.connection.open();
    return replica;
  }

  get client(): TaskClient {
    return this.sample.client({ authentication: ann });
  }

  async close(): Promise<void> {
    await this.sample.close();
    await this.connection.close();
  }
}

function replicated(
  name: string,
  run: (one: Replica, other: Replica) => Promise<void>,
  limits = {},
): void {
  if (redis === undefined) {
    console.log(`skipped: ${name} (${whyNoRedis})`);
    test.skip(name);
    return;
  }
  test(name, async () => {
    const key = name.slice(0, 20);
    const [one, other] = [await Replica.open(key, limits), await Replica.open(key, limits)];
    try {
      await run(one, other);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });
}

test.after(() => redis?.stop());

replicated("another replica tells of a task, and of its end", async (one, other) => {
  const id = await one.client.start("it");
  await until(async () => (await other.client.get(id)).statusMessage !== undefined);
  assert.is((await other.client.get(id)).statusMessage, "Working (1 of 2)");
  await refusal(-32602, () => other.sample.client().get(id));
  one.end("done");
  const { result } = await other.client.until(id, "completed");
  assert.is(result?.content[0]?.text, "done");
});

replicated("a client follows a task through another replica", async (one, other) => {
  const id = await one.client.start("it");
  const stream = new TaskStream(await listen(other.sample, listenMessage([id]), ann));
  await until(() => stream.told.length > 1);
  one.end("done");
  await until(() => statesIn(stream.told).includes("completed"));
  assert.equal(statesIn(stream.told)[0], [id]);
});

replicated("any replica takes an answer, and goes on with the task", async (one, other) => {
  const id = await one.client.start("it", { what: "ask" });
  const { inputRequests = {} } = await other.client.until(id, "input_required");
  const [key = ""] = Object.keys(inputRequests);
  const answer = { [key]: { action: "accept", content: { name: "Ada" } } };
  await Promise.all([one.client.update(id, answer), other.client.update(id, answer)]);
  const { result } = await one.client.until(id, "completed");
  assert.is(result?.content[0]?.text, "Ada");
});

replicated("a task is cancelled through another replica", async (one, other) => {
  const id = await one.client.start("it");
  assert.equal(await other.client.cancel(id), {});
  assert.is((await one.client.get(id)).status, "cancelled");
  await until(() => one.signal?.aborted);
  one.end("late");
  assert.is((await other.client.get(id)).status, "cancelled");
});

replicated(
  "a task whose replica has died fails in words, and one that waits goes on",
  async (one, other) => {
    const [working, waiting] = [
      await one.client.start("it"),
      await one.client.start("it", { what: "ask" }),
    ];
    const { inputRequests = {} } = await one.client.until(waiting, "input_required");
    // As if it were killed: it says nothing any more.
    await one.connection.close();
    assert.is((await other.client.get(working)).status, "working");
    const { error } = await other.client.until(working, "failed");
    assert.is(error?.message, "The process that ran it has ended before it was done");
    const [key = ""] = Object.keys(inputRequests);
    const answer = { action: "accept", content: { name: "Ada" } };
    await other.client.update(waiting, { [key]: answer });
    await other.client.until(waiting, "completed");
  },
);

replicated(
  "all replicas together keep to the limit of a caller",
  async (one, other) => {
    const [first] = [await one.client.start("it"), await other.client.start("it")];
    const refused = await one.client.call("it");
    assert.match(JSON.stringify(refused), /Too many tasks are not finished.*limits\.tasks: 2/);
    await other.client.cancel(first);
    await one.client.start("it");
  },
  { tasks: 2 },
);

replicated("a result that is too long for Redis is replaced by words", async (one, other) => {
  const id = await one.client.start("it", { what: "long" });
  const { result } = await other.client.until(id, "completed");
  assert.match(result?.content[0]?.text ?? "", "its result is lost");
  const values = { text: "x".repeat(longestSharedTask) };
  assert.match(JSON.stringify(await one.client.call("it", values)), "too long for a task");
});

replicated(
  "a result is replaced by words once the tasks of its caller fill the room",
  async (one, other) => {
    const results = [];
    for (const replica of [one, other, one]) {
      const id = await replica.client.start("it", { what: "half" });
      const { result } = await other.client.until(id, "completed");
      results.push(result?.content[0]?.text ?? "");
    }
    const [first = "", second, third] = results;
    assert.is(first.length, mostBytes / 2);
    for (const lost of [second, third]) assert.match(lost ?? "", "its result is lost");
    const values = { text: "x".repeat(longestSharedTask - 1_000) };
    assert.match(JSON.stringify(await one.client.call("it", values)), "Tasks take all room");
    const bob = one.sample.client({ authentication: { principal: "bob", scopes: [] } });
    const id = await bob.start("it", { what: "half" });
    const { result } = await bob.until(id, "completed");
    assert.is(result?.content[0]?.text.length, mostBytes / 2);
  },
);

replicated("a task that ends while Redis is away is written down later", async (one, other) => {
  const id = await one.client.start("it");
  await until(async () => (await one.client.get(id)).statusMessage !== undefined);
  redis?.pause();
  one.end("done");
  await until(() => one.connection.commands === undefined);
  await refusal(-32603, () => one.client.get(id));
  assert.match(JSON.stringify(await one.client.call("it")), "Tasks are not available");
  redis?.resume();
  // The other replica may notice only now that it has lost its connection.
  const seen = (): Promise<string> => other.client.get(id).then(({ status }) => status, String);
  await until(async () => (await seen()) === "completed");
});

test.run();
