import { rm } from "node:fs/promises";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { Client } from "@modelcontextprotocol/client";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { LocalRedis } from "../../../../templates/runtime/samples/local-redis.js";
import { until } from "../../../../templates/runtime/samples/until.js";
import { connectClient } from "../../harness/clients/every-method.js";
import {
  startProgram,
  type Era,
  type StartedServer,
} from "../../harness/clients/project-clients.js";
import { buildProjects } from "../../harness/projects/built-project.js";
import { readPrometheusText } from "../../harness/oracles/prometheus-text.js";
import { shortOrLong } from "../../harness/runner/test-length.js";
import { runProgram } from "../../harness/runner/programs.js";
import { makeReplicatedProject } from "./replicated-server/project.js";
import {
  LISTED,
  notificationsOf,
  textOf,
  UPDATED,
  useEverything,
} from "./replicated-server/replicas.js";

/** A generated server that several processes serve, from its modules and as one file, with the official client. */

const isLong = shortOrLong(false, true);
const test = suite("a generated server of several processes");
const WORKERS = 3;
/** Its processes start sooner than those of the modules. */
const BUNDLE = "dist/bundle.mjs";
let folder: string;
/** The same server, which shares through Redis; in the long form only. */
let shared: string;
/** Both. */
const projects: string[] = [];
let server: StartedServer | undefined;
const clients: Client[] = [];

test.before(async () => {
  folder = await makeReplicatedProject((manifest) =>
    manifest
      .replace("sessions: memory, metrics: /metrics", "metrics: /metrics")
      .replace("scale: { redis: { env: REDIS_URL } }", "")
      .replace("limits: { ratePerSecond: 1000000 }", "limits: { ratePerSecond: { env: RATE } }")
      .replace("REDIS_URL: { secret: true }", "RATE: { type: number, default: 100000 }"),
  );
  projects.push(folder);
  if (isLong) {
    shared = await makeReplicatedProject((manifest) =>
      manifest.replace("sessions: memory, metrics: /metrics", "metrics: /metrics"),
    );
    projects.push(shared);
  }
  await buildProjects(projects);
  const command = join(folder, "node_modules/.bin/mcpwright-runtime");
  for (const project of projects) await runProgram(project, process.execPath, [command, "bundle"]);
});
test.after.each(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await server?.stop();
  server = undefined;
});
test.after(async () => {
  for (const one of projects) await rm(one, { recursive: true, force: true });
});

/** Starts the server, and waits until all workers serve. */
async function start(
  program: string,
  env: Readonly<Record<string, string>> = {},
  project = folder,
): Promise<StartedServer> {
  const heard: string[] = [];
  const flags = ["--workers", String(WORKERS)];
  server = await startProgram(project, program, env, flags, (line) => void heard.push(line));
  await until(() => heard.some((line) => line.includes("all workers serve")));
  return server;
}

/**
 * Connects the official client, each of whose requests has a connection of its own: a slow machine may reuse an idle one
 * at the moment at which the server closes it, for which the client does not repeat a call.
 */
async function connect(url: string, era: Era, principal: string): Promise<Client> {
  const requestInit = { headers: { authorization: `Bearer ${principal}`, connection: "close" } };
  const client = await connectClient(
    new StreamableHTTPClientTransport(new URL(url), { requestInit }),
    era,
  );
  clients.push(client);
  return client;
}

/** The workers that answer slow calls, each of which has a connection of its own. */
async function workersOf(client: Client, principal: string): Promise<ReadonlySet<string>> {
  const calls = Array.from({ length: 4 * WORKERS }, async (_, index) => {
    const [pid = "", ...rest] = (
      await textOf(client, "echo", { text: `t${index}`, delayMs: 300 })
    ).split(" ");
    assert.equal(rest, [principal, `t${index}`]);
    return pid;
  });
  return new Set(await Promise.all(calls));
}

/** Calls a server that nobody has called, in an older era, and reads its metrics. */
async function assertMetricsAreOnePage(url: string): Promise<void> {
  const old = await connect(url, "legacy", "ada");
  await workersOf(old, "ada");
  const headers = { authorization: "Bearer ada" };
  const page = await (await fetch(new URL("/metrics", url), { headers })).text();
  const samples = readPrometheusText(page);
  const calls = samples.filter(
    ({ name, labels }) => name === "mcp_server_requests_total" && labels["method"] === "tools/call",
  );
  assert.is(
    calls.reduce((sum, { value }) => sum + value, 0),
    4 * WORKERS,
  );
  const memory = samples.filter(({ name }) => name === "process_resident_memory_bytes");
  assert.equal(
    memory.map(({ labels }) => labels["worker"]),
    ["1", "2", "3"],
  );
}

for (const program of shortOrLong([BUNDLE], ["dist/src/main.js", BUNDLE])) {
  test(`${program}: clients find one server in all workers, whose metrics are one page`, async () => {
    const { url } = await start(program);
    await assertMetricsAreOnePage(url);
    const [ada, bob] = [await connect(url, "modern", "ada"), await connect(url, "modern", "bob")];
    const [ofAda, ofBob] = await Promise.all([workersOf(ada, "ada"), workersOf(bob, "bob")]);
    assert.is(new Set([...ofAda, ...ofBob]).size, WORKERS);
    await Promise.all(Array.from({ length: 8 }, () => useEverything(ada)));
    const [toldAda, toldBob] = [notificationsOf(ada), notificationsOf(bob)];
    const filter = { toolsListChanged: true, resourceSubscriptions: ["demo://state"] };
    await Promise.all([ada.listen(filter), bob.listen(filter)]);
    await Promise.all(Array.from({ length: WORKERS }, () => textOf(ada, "touch")));
    await until(() => toldAda.filter((method) => method === UPDATED).length === WORKERS);
    await textOf(ada, "turn", { on: true });
    await until(() => toldAda.includes(LISTED) && toldBob.includes(LISTED));
    assert.not.ok(toldBob.includes(UPDATED), "nothing reaches another principal");
    const listed = await Promise.all(Array.from({ length: 9 }, () => bob.listTools()));
    for (const { tools } of listed) assert.ok(tools.some(({ name }) => name === "extra"));
  });
}

/** In short, `shared-state.test.ts` has a rate that holds for all workers. */
if (isLong) {
  test("a rate of 5 a second holds for a principal over all workers", async () => {
    const { url } = await start(BUNDLE, { RATE: "5" });
    const startedAt = performance.now();
    const calls = Array.from({ length: 30 }, () => statusOf(url));
    const statuses = await Promise.all(calls);
    const earned = Math.ceil((5 * (performance.now() - startedAt)) / 1_000);
    const accepted = statuses.filter((status) => status === 200).length;
    assert.ok(accepted >= 5 && accepted <= 5 + earned, statuses.join());
    assert.is(statuses.filter((status) => status === 429).length, 30 - accepted);
  });
}

const absence = await LocalRedis.whyWithout();

async function shareThroughRedis(): Promise<void> {
  const redis = await LocalRedis.start();
  const env = { REDIS_URL: redis.url, REQUEST_STATE_KEY: "k".repeat(64) };
  const alone = await startProgram(shared, BUNDLE, env);
  try {
    const { url } = await start(BUNDLE, env, shared);
    const [ada, elsewhere] = [
      await connect(url, "modern", "ada"),
      await connect(alone.url, "modern", "ada"),
    ];
    const told = notificationsOf(ada);
    await ada.listen({ resourceSubscriptions: ["demo://state"] });
    await textOf(elsewhere, "touch");
    await until(() => told.includes(UPDATED));
    await textOf(elsewhere, "turn", { on: true });
    const areOn = async (): Promise<boolean> => {
      const listed = await Promise.all(Array.from({ length: 9 }, () => ada.listTools()));
      return listed.every(({ tools }) => tools.some(({ name }) => name === "extra"));
    };
    await until(areOn);
    await textOf(ada, "turn", { on: false });
    await until(async () => {
      const { tools } = await elsewhere.listTools();
      return !tools.some(({ name }) => name === "extra");
    });
  } finally {
    await alone.kill();
    await server?.stop();
    server = undefined;
    await redis.stop();
  }
}

/** In short, `replicated-server.test.ts` has processes that share through Redis, and the tests above have workers. */
const redisTests = shortOrLong(
  [],
  ["workers share through Redis with a process that serves alone"],
);
for (const title of redisTests) {
  if (absence === undefined) test(title, shareThroughRedis);
  else {
    console.log(`skipped: ${title} (${absence})`);
    test.skip(title);
  }
}

/** The status of the answer to a list of tools. */
async function statusOf(url: string): Promise<number> {
  const { status, body } = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      authorization: "Bearer ada",
      "mcp-protocol-version": "2026-07-28",
      "mcp-method": "tools/list",
    },
    body: JSON.stringify({
      ...{ jsonrpc: "2.0", id: 1, method: "tools/list" },
      params: {
        _meta: {
          "io.modelcontextprotocol/protocolVersion": "2026-07-28",
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  });
  await body?.cancel();
  return status;
}

test.run();
