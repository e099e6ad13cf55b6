import { rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { StreamableHTTPClientTransport, type Client } from "@modelcontextprotocol/client";
import { LocalRedis } from "../../templates/runtime/samples/local-redis.js";
import { until } from "../../templates/runtime/samples/until.js";
import { modernRequest } from "../../templates/runtime/suite/clients/http.js";
import { connectClient } from "./every-method.js";
import { startHttp, type Era, type StartedServer } from "./project-clients.js";
import { Balancer, type BalancerOptions } from "./replicated-server/balancer.js";
import { buildReplicatedProject } from "./replicated-server/project.js";

/** Replicas of a generated server behind a load balancer, with a real Redis. */

const test = suite("replicas behind a load balancer");
const absence = await LocalRedis.whyWithout();
let folder = "";
let redis: LocalRedis;
const open: { close(): unknown }[] = [];

test.before(async () => {
  if (absence !== undefined) return;
  folder = await buildReplicatedProject();
  redis = await LocalRedis.start();
});
test.after.each(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});
test.after(async () => {
  if (absence !== undefined) return;
  await redis.stop();
  await rm(folder, { recursive: true, force: true });
});

function withRedis(name: string, run: () => Promise<void>): void {
  if (absence === undefined) return test(name, run);
  console.log(`skipped: ${name} (${absence})`);
  test.skip(name);
}

async function startReplica(): Promise<StartedServer> {
  const env = { REDIS_URL: redis.url, REQUEST_STATE_KEY: "k".repeat(64) };
  const replica = await startHttp(folder, env);
  open.push({ close: () => replica.kill() });
  return replica;
}

async function startBehind(count: number, options?: BalancerOptions) {
  const replicas = await Promise.all(Array.from({ length: count }, startReplica));
  const balancer = await Balancer.before(
    replicas.map(({ url }) => url),
    options,
  );
  open.push(balancer);
  return { replicas, balancer };
}

async function connect(url: string, era: Era, principal: string): Promise<Client> {
  const requestInit = { headers: { authorization: `Bearer ${principal}` } };
  const client = await connectClient(
    new StreamableHTTPClientTransport(new URL(url), { requestInit }),
    era,
  );
  open.push(client);
  return client;
}

async function textOf(client: Client, name: string, values: object = {}): Promise<string> {
  const { content } = await client.callTool({ name, arguments: { ...values } });
  const [block] = content;
  return block?.type === "text" ? block.text : "";
}

/** What a client is told, by the names of the methods. */
function notificationsOf(client: Client): string[] {
  const told: string[] = [];
  for (const method of [
    "notifications/tools/list_changed",
    "notifications/resources/updated",
  ] as const) {
    client.setNotificationHandler(method, () => void told.push(method));
  }
  return told;
}

const UPDATED = "notifications/resources/updated";
const LISTED = "notifications/tools/list_changed";

/** What both eras have, whichever replica answers. */
async function useEverything(client: Client): Promise<void> {
  assert.match(await textOf(client, "ask"), / Ada$/);
  const { contents } = await client.readResource({ uri: "demo://state" });
  assert.is(contents.length, 1);
  const { messages } = await client.getPrompt({ name: "plan", arguments: { city: "Paris" } });
  assert.is(messages.length, 1);
  const completed = await client.complete({
    ref: { type: "ref/prompt", name: "plan" },
    argument: { name: "city", value: "Pi" },
  });
  assert.equal(completed.completion.values, ["Pisa"]);
  assert.is((await client.listResources()).resources.length, 1);
}

/** Calls from `ada` reach the clients of `ada` and those of nobody else, wherever they are connected. */
async function tellEachOther(caller: Client, ada: Client, bob: Client): Promise<void> {
  const [toldAda, toldBob] = [notificationsOf(ada), notificationsOf(bob)];
  for (let turn = 1; turn <= 4; turn++) {
    await textOf(caller, "touch");
    await until(() => toldAda.filter((method) => method === UPDATED).length === turn);
  }
  await textOf(caller, "turn", { on: true });
  await until(() => toldAda.includes(LISTED) && toldBob.includes(LISTED));
  assert.not(toldBob.includes(UPDATED), "nothing reaches another principal");
  await textOf(caller, "turn", { on: false });
}

for (const count of [2, 4]) {
  withRedis(`2026-07-28: ${count} replicas are one server, request for request`, async () => {
    const { balancer } = await startBehind(count);
    const [ada, bob, caller] = await Promise.all(
      ["ada", "bob", "ada"].map((name) => connect(balancer.url, "modern", name)),
    );
    if (!ada || !bob || !caller) throw new Error("no clients");
    const processes = new Set<string>();
    for (let turn = 0; turn < 4 * count; turn++) {
      const [pid = "", ...rest] = (await textOf(ada, "echo", { text: `t${turn}` })).split(" ");
      processes.add(pid);
      assert.equal(rest, ["ada", `t${turn}`]);
    }
    assert.is(processes.size, count);
    await useEverything(ada);
    const filter = { toolsListChanged: true, resourceSubscriptions: ["demo://state"] };
    await Promise.all([ada.listen(filter), bob.listen(filter)]);
    await tellEachOther(caller, ada, bob);
  });

  withRedis(`older eras: ${count} replicas with sessions that the balancer keeps`, async () => {
    const { balancer, replicas } = await startBehind(count, { keepsSessions: true });
    const [ada, bob, caller] = await Promise.all(
      ["ada", "bob", "ada"].map((name) => connect(balancer.url, "legacy", name)),
    );
    if (!ada || !bob || !caller) throw new Error("no clients");
    await useEverything(ada);
    await Promise.all([ada, bob].map((one) => one.subscribeResource({ uri: "demo://state" })));
    await delay(200);
    await tellEachOther(caller, ada, bob);
    const [gone] = replicas;
    await gone?.kill();
    balancer.remove(gone?.url ?? "");
    const anew = await connect(balancer.url, "legacy", "ada");
    assert.match(await textOf(anew, "echo", { text: "x" }), / ada x$/);
  });
}

/** One checked call; what is wrong with its answer, or undefined. */
async function checkedCall(
  url: string,
  principal: string,
  text: string,
  delayMs: number,
): Promise<"ok" | "broken" | string> {
  const body = { name: "echo", arguments: { text, delayMs } };
  const request = modernRequest(url, "tools/call", body);
  request.headers.set("authorization", `Bearer ${principal}`);
  request.headers.set("mcp-name", "echo");
  try {
    const response = await fetch(request);
    const answer = await response.text();
    if (response.status === 502) return "refused";
    return answer.includes(` ${principal} ${text}"`) ? "ok" : `${response.status} ${answer}`;
  } catch {
    return "broken";
  }
}

/** Calls of several principals at once until it is stopped. @returns how often each outcome came */
function load(url: string, delayMs: number): { stop(): Promise<Map<string, number>> } {
  const outcomes = new Map<string, number>();
  let isOver = false;
  const callers = ["ada", "bob", "cyd", "dan"].map(async (principal) => {
    for (let turn = 0; !isOver; turn++) {
      const outcome = await checkedCall(url, principal, `${principal}${turn}`, delayMs);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  });
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(callers);
      return outcomes;
    },
  };
}

withRedis("a rolling replacement under load loses no request", async () => {
  const { balancer, replicas } = await startBehind(2, { obeysReadiness: true });
  const running = load(balancer.url, 20);
  for (const old of replicas) {
    const replacement = await startReplica();
    balancer.add(replacement.url);
    await old.stop();
    balancer.remove(old.url);
  }
  const outcomes = await running.stop();
  assert.equal([...outcomes.keys()], ["ok"], JSON.stringify([...outcomes]));
});

withRedis("a replica that is killed breaks its own calls, and nothing else", async () => {
  const { balancer, replicas } = await startBehind(2);
  const [gone] = replicas;
  const running = load(balancer.url, 50);
  await delay(500);
  await gone?.kill();
  balancer.remove(gone?.url ?? "");
  await delay(500);
  const outcomes = await running.stop();
  const broken = outcomes.get("broken") ?? 0;
  assert.ok(broken >= 1 && broken <= 8, JSON.stringify([...outcomes]));
  assert.equal([...outcomes.keys()].sort(), ["broken", "ok"], JSON.stringify([...outcomes]));
});

withRedis(
  "calls go on while Redis is paused and while it is gone, and all comes back",
  async () => {
    const { balancer, replicas } = await startBehind(2);
    const status = async (): Promise<number[]> =>
      Promise.all(replicas.map(async ({ url }) => (await fetch(new URL("/readyz", url))).status));
    assert.equal(await status(), [200, 200]);
    const running = load(balancer.url, 5);
    redis.pause();
    await until(async () => (await status()).every((one) => one === 503));
    redis.resume();
    await until(async () => (await status()).every((one) => one === 200));
    await redis.stop();
    await until(async () => (await status()).every((one) => one === 503));
    await redis.startAgain();
    await until(async () => (await status()).every((one) => one === 200));
    const outcomes = await running.stop();
    assert.equal([...outcomes.keys()], ["ok"], JSON.stringify([...outcomes]));
  },
);

test.run();
