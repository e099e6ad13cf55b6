import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connectHttp } from "../suite/clients/http.js";
import { closeAll } from "../suite/clients/harness.js";
import {
  DividedServer,
  DividedServers,
  SharedServer,
  type CallAnswer,
} from "../samples/divided-server.js";
import { isRunning } from "../samples/processes.js";
import { until } from "../samples/until.js";
import { noticeMs } from "../start/transport.js";

/** What the processes of a server share. Each call may reach another one. */

const test = suite("the shared state of several processes");
const servers = new DividedServers();
const { start } = servers;
test.after.each(async () => {
  await closeAll();
  servers.kill();
});

/** Three workers, without a key of their own for the state of requests. */
const shared = new SharedServer(() => DividedServer.start(3, { REQUEST_STATE_KEY: "" }));
test.after(shared.kill);

test("a rate of 5 requests a second holds for 3 workers together, however they come", async () => {
  const server = await start(3, { RATE: "5" });
  const startedAt = performance.now();
  const answers = await Promise.all(Array.from({ length: 40 }, () => server.call("pid")));
  const earned = Math.ceil((5 * (performance.now() - startedAt)) / 1_000);
  const accepted = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  assert.is(accepted.length + refused.length, 40);
  assert.ok(accepted.length >= 5, `${accepted.length} of a burst of 5 were accepted`);
  assert.ok(accepted.length <= 5 + earned, `${accepted.length} were accepted`);
  await until(async () => (await server.call("pid")).status === 200);
});

/** A call that ran. */
interface Span {
  readonly pid: string;
  readonly from: number;
  readonly to: number;
}

/** The calls that were not refused. */
function spansOf(answers: readonly CallAnswer[]): readonly Span[] {
  return answers.flatMap(({ text }) => {
    const [pid = "", from, to] = text.split(" ");
    return /^\d+$/.test(pid) ? [{ pid, from: Number(from), to: Number(to) }] : [];
  });
}

/** The most calls that ran at the same time. */
function mostAtOnce(spans: readonly Span[]): number {
  const running = (time: number): number =>
    spans.filter(({ from, to }) => from <= time && time < to).length;
  return Math.max(0, ...spans.map(({ from }) => running(from)));
}

test("5 calls at a time hold for 2 workers together, also when nearly all calls reach one of them", async () => {
  const server = await start(2, { CONCURRENCY: "5" });
  const opened = [await server.connection()];
  const ofFirst = (): typeof opened => opened.filter(({ pid }) => pid === opened[0]?.pid);
  await until(async () => opened.push(await server.connection()) && ofFirst().length >= 8);
  const uneven = [...ofFirst(), ...opened.filter(({ pid }) => pid !== opened[0]?.pid).slice(0, 1)];
  const answers = await Promise.all(uneven.map(({ agent }) => server.call("span", {}, {}, agent)));
  const spans = spansOf(answers);
  assert.ok(mostAtOnce(spans) <= 5, "uneven load");
  const ofOne = spans.filter(({ pid }) => pid === String(opened[0]?.pid));
  assert.ok(mostAtOnce(ofOne) <= 3, "a worker has its part, and does not take that of the other");
  assert.ok(spans.length >= 2);
  const refused = answers.filter(({ text }) => text.includes("limits.concurrency"));
  assert.is(refused.length, answers.length - spans.length);
  const even = spansOf(await Promise.all(Array.from({ length: 20 }, () => server.call("span"))));
  assert.ok(mostAtOnce(even) <= 5, "even load");
  for (const { agent } of opened) agent.destroy();
});

const areAll = (texts: ReadonlyMap<number, string>, text: string): boolean =>
  [...texts.values()].every((one) => one === text);

test("a switch holds in all workers, also in those that start later", async () => {
  const server = await shared.get();
  const isInAll = async (text: string): Promise<boolean> =>
    areAll(await server.textOfEach("switched", 3), text);
  const serving = server.count("serving");
  assert.ok(await isInAll("true"));
  await server.call("switch_off");
  await until(() => isInAll("false"));
  for (const text of await server.texts("extra", 6)) assert.is.not(text, "extra");
  assert.ok(await server.isCut("crash"));
  await server.logged("serving", serving + 1);
  assert.ok(await isInAll("false"), "a worker serves only when it knows what was switched");
  await server.call("switch_on");
  await until(() => isInAll("true"));
});

test("an event reaches the clients of all workers once", async () => {
  const server = await shared.get();
  const updates: string[][] = [];
  for (let client = 0; client < 6; client++) {
    const listening = await connectHttp(server.url, "modern");
    const heard: string[] = [];
    updates.push(heard);
    listening.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      heard.push(params.uri);
    });
    await listening.listen({ resourceSubscriptions: ["sample://state", "sample://other"] });
  }
  const { pid, agent } = await server.connection();
  await server.call("touch", {}, {}, agent);
  await server.call("touch_other", {}, {}, agent);
  // What the second event comes after has been heard.
  await until(() => updates.every((heard) => heard.includes("sample://other")));
  for (const heard of updates) assert.equal(heard, ["sample://state", "sample://other"]);
  assert.ok(await isRunning(pid));
  agent.destroy();
});

const ANSWER = { action: "accept", content: { name: "Ada" } };

test("an answer to a question may reach another worker than the question", async () => {
  const server = await shared.get();
  const asking = await server.connection();
  let answering = await server.connection();
  while (answering.pid === asking.pid) answering = await server.connection();
  const { result } = await server.call("ask", {}, {}, asking.agent);
  const answers = Object.keys(result?.inputRequests ?? {}).map((key) => [key, ANSWER]);
  const params = {
    requestState: result?.requestState,
    inputResponses: Object.fromEntries(answers) as object,
  };
  assert.is((await server.call("ask", params, {}, answering.agent)).text, "Hello, Ada");
  const made = server.log.filter(({ message = "" }) => message.startsWith("REQUEST_STATE_KEY"));
  assert.is(made.length, 1, "one process has made the key");
});

test("a user's consent runs one call, however many workers get it at the same time", async () => {
  const server = await shared.get();
  for (let round = 0; round < 3; round++) {
    const { result } = await server.call("consented");
    const [key = ""] = Object.keys(result?.inputRequests ?? {});
    const params = {
      requestState: result?.requestState,
      inputResponses: { [key]: { action: "accept", content: {} } },
    };
    const calls = Array.from({ length: 12 }, () => server.call("consented", params));
    const ran = (await Promise.all(calls)).filter(({ text }) => text.endsWith(" ran"));
    assert.is(ran.length, 1);
  }
});

test("audit lines of all workers are whole and in the order of their times", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcp-workers-"));
  const file = join(folder, "audit.log");
  const server = await start(2, { AUDIT_FILE: file });
  await Promise.all(Array.from({ length: 300 }, () => server.call("pid")));
  const lines = (await readFile(file, "utf8")).split("\n").slice(0, -1);
  assert.is(lines.length, 300, "each line is written before its answer");
  const times = lines.map((line) => (JSON.parse(line) as { readonly time: string }).time);
  assert.equal(times, [...times].sort());
  server.primary.kill("SIGTERM");
  assert.is(await server.exit, 0);
  await rm(folder, { recursive: true });
});

test("without a file, audit lines are among the lines of the log", async () => {
  const server = await shared.get();
  const lines = (): number => server.stderr.split('"audit":"call"').length;
  const before = lines();
  await server.texts("pid", 4);
  await until(() => lines() === before + 4);
});

test("API keys are read again in all workers", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcp-workers-"));
  const file = join(folder, "keys");
  const lineOf = (key: string): string =>
    `${key}:${createHash("sha256").update(key).digest("hex")}:\n`;
  await writeFile(file, lineOf("ada"));
  const server = await start(2, { KEY_FILE: file });
  const call = (key: string): Promise<CallAnswer> =>
    server.call("pid", {}, { authorization: `Bearer ${key}` });
  await server.textOfEach("pid", 2, { authorization: "Bearer ada" });
  assert.is((await call("lin")).status, 401);
  await writeFile(file, lineOf("lin"));
  await server.textOfEach("pid", 2, { authorization: "Bearer lin" });
  const answers = await Promise.all(Array.from({ length: 9 }, () => call("ada")));
  for (const { status } of answers) assert.is(status, 401, "a worker that knows Lin knows no Ada");
  await rm(folder, { recursive: true });
});

/** The value of a metric, added up over its labels. */
async function metric(server: DividedServer, pattern: RegExp): Promise<number> {
  const page = await (await fetch(new URL("/metrics", server.url))).text();
  const lines = page.split("\n").filter((line) => pattern.test(line));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}

test("any worker shows the metrics of all, and those of workers that have ended", async () => {
  const server = await shared.get();
  const replaced = "a worker has ended, and another one replaces it";
  const [serving, ended] = [server.count("serving"), server.count(replaced)];
  const calls = /^mcp_server_requests_total\{.*name="pid"/;
  const before = await metric(server, calls);
  const count = async (): Promise<number> => (await metric(server, calls)) - before;
  await server.texts("pid", 12);
  await until(async () => (await count()) === 12);
  assert.ok((await metric(server, /^process_resident_memory_bytes\{worker="2"\} /)) > 1e6);
  assert.ok(await server.isCut("crash"));
  // Until then, a connection may be given to the worker that is gone.
  await server.logged(replaced, ended + 1);
  for (let reads = 0; reads < 9; reads++) {
    assert.is(await count(), 12, "a sum that becomes less would be read as a start from 0");
  }
  await server.logged("serving", serving + 1);
  assert.is(await count(), 12);
  await server.texts("pid", 3);
  await until(async () => (await count()) === 15);
});

test("a load balancer that has asked one worker hears from all that they will stop", async () => {
  const server = await shared.get();
  const pids = [...(await server.textOfEach("pid", 3)).keys()];
  const ready = new URL("/readyz", server.url);
  assert.is((await fetch(ready)).status, 200);
  const startedAt = performance.now();
  server.primary.kill("SIGTERM");
  await server.logged("stopping", 4);
  const asked = Array.from({ length: 9 }, () =>
    server.call("pid").then(
      ({ status }) => assert.is(status, 200),
      // The test may be slower than the notice is long.
      () => assert.ok(performance.now() - startedAt >= noticeMs, "a worker serves no longer"),
    ),
  );
  await Promise.all(asked);
  const lasted = pids.map(async (pid) => {
    await until(async () => !(await isRunning(pid)));
    return performance.now() - startedAt;
  });
  for (const ms of await Promise.all(lasted)) {
    assert.ok(ms >= noticeMs, `a worker has served for ${ms} ms after the signal`);
  }
  assert.is(await server.exit, 0);
});

test.run();
