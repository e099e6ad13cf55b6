import { once } from "node:events";
import { Agent, get, type IncomingMessage } from "node:http";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createLog } from "../observe/log.js";
import { sampleServer } from "../samples/server.js";
import { until } from "../samples/until.js";
import { createServer, type RunningServer } from "../server/create-server.js";
import { connectHttp } from "../suite/clients/http.js";
import { readyChecks } from "./balancing.js";
import type { HttpDefinition } from "./definition.js";
import { httpEndpoint } from "./endpoint.js";
import { listen } from "./listener.js";
import { readyPage } from "./readiness.js";
import { connectReplicas } from "./replicas.js";
import type { RunningHttp } from "./transport.js";

const http = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const running: RunningHttp[] = [];
test.after(async () => {
  await Promise.all(running.map((one) => one.close()));
});

interface Sample {
  readonly server: RunningServer;
  readonly listening: RunningHttp;
  /** Returns the status and the text of `/readyz`. */
  readiness(init?: RequestInit, query?: string): Promise<readonly [number, string]>;
}

async function startSample(): Promise<Sample> {
  const log = createLog({ write: () => undefined });
  const server = createServer({ ...sampleServer, readyPage }, { root: process.cwd(), log });
  const listening = await listen(server, [httpEndpoint(server, { ...http, ready: "/readyz" })]);
  running.push(listening);
  const readiness: Sample["readiness"] = async (init, query = "") => {
    const answer = await fetch(new URL(`/readyz${query}`, listening.url), init);
    const body = await answer.text();
    return [answer.status, answer.ok || answer.status === 503 ? JSON.parse(body).status : body];
  };
  return { server, listening, readiness };
}

test("a server is ready unless the project's `ready` says no", async () => {
  const { server, readiness } = await startSample();
  assert.equal(await readiness(), [200, "ok"]);
  readyChecks.set(server, async () => true);
  assert.equal(await readiness(), [200, "ok"]);
  for (const check of [
    () => false,
    async () => false,
    () => Promise.reject(new Error("no services")),
    () => {
      throw new Error("no services");
    },
  ]) {
    readyChecks.set(server, check);
    assert.equal(await readiness(), [503, "services"]);
  }
  assert.is((await readiness({ method: "POST" }))[0], 405);
});

test("a check that does not answer counts as not ready, and is not repeated meanwhile", async () => {
  const { server, readiness } = await startSample();
  let made = 0;
  readyChecks.set(server, () => new Promise(() => (made += 1)));
  const answers = await Promise.all([readiness(), readiness(), readiness({}, "?exclude=redis")]);
  assert.equal(answers, [
    [503, "services"],
    [503, "services"],
    [503, "services"],
  ]);
  assert.is(made, 1);
});

test("the check for a balancer may ignore a backend that all replicas would lose together", async () => {
  const { server, readiness } = await startSample();
  connectReplicas(server, { problem: "Redis is away", close: async () => undefined });
  assert.equal(await readiness(), [503, "redis"]);
  assert.equal(await readiness({}, "?exclude=services"), [503, "redis"]);
  assert.equal(await readiness({}, "?exclude=redis"), [200, "ok"]);
  readyChecks.set(server, () => false);
  assert.equal(await readiness({}, "?exclude=redis"), [503, "services"]);
  assert.equal(await readiness({}, "?exclude=redis&exclude=services"), [200, "ok"]);
});

test("once the server leaves, its answers close lasting connections", async () => {
  const { listening, readiness } = await startSample();
  assert.equal(await readiness(), [200, "ok"]);
  const agent = new Agent({ keepAlive: true, maxSockets: 2 });
  const ask = async () => {
    const request = get(new URL("/healthz", listening.url), { agent });
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    const { socket, headers } = answer;
    answer.resume();
    await once(answer, "end");
    return { socket, connection: headers.connection };
  };
  const kept = await Promise.all([ask(), ask()]);
  assert.equal(
    kept.map(({ connection }) => connection),
    ["keep-alive", "keep-alive"],
  );
  const closed = listening.close();
  const { socket, connection } = await ask();
  assert.is(connection, "close");
  const idle = kept.find((one) => one.socket !== socket)?.socket;
  await once(idle!, "close");
  agent.destroy();
  await closed;
});

test("a server behind a balancer reports that it stops before it refuses requests", async () => {
  const { listening, readiness } = await startSample();
  assert.equal(await readiness(), [200, "ok"]);
  const closed = listening.close();
  assert.equal(await readiness(), [503, "stopping"]);
  const client = await connectHttp(listening.url, "modern");
  const { content } = await client.callTool({ name: "greet", arguments: { who: "Ada" } });
  assert.match(JSON.stringify(content), /Ada/);
  await client.close();
  await closed;
  await until(() =>
    fetch(listening.url).then(
      () => false,
      () => true,
    ),
  );
});

test.run();
