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
import type { RunningHttp } from "./transport.js";

const http = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const running: RunningHttp[] = [];
test.after(async () => {
  await Promise.all(running.map((one) => one.close()));
});

interface Sample {
  readonly server: RunningServer;
  readonly listening: RunningHttp;
  /** Status and word of `/readyz`. */
  readiness(init?: RequestInit): Promise<readonly [number, string]>;
}

async function startSample(): Promise<Sample> {
  const log = createLog({ write: () => undefined });
  const server = createServer({ ...sampleServer, readyPage }, { root: process.cwd(), log });
  const listening = await listen(server, [httpEndpoint(server, { ...http, ready: "/readyz" })]);
  running.push(listening);
  const readiness = async (init?: RequestInit): Promise<readonly [number, string]> => {
    const answer = await fetch(new URL("/readyz", listening.url), init);
    const body = await answer.text();
    return [answer.status, answer.ok || answer.status === 503 ? JSON.parse(body).status : body];
  };
  return { server, listening, readiness };
}

test("a server is ready where the project's `ready` does not say no", async () => {
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

test("a check that does not answer is a no", async () => {
  const { server, readiness } = await startSample();
  readyChecks.set(server, () => new Promise(() => undefined));
  assert.equal(await readiness(), [503, "services"]);
});

test("a server that a balancer asks says that it stops before it refuses anything", async () => {
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
