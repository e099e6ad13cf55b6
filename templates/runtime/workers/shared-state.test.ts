import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { connectHttp } from "../suite/clients/http.js";
import { closeAll } from "../suite/clients/harness.js";
import { DividedServers, type DividedServer } from "../samples/divided-server.js";
import { until } from "../samples/until.js";

/** What the processes of a server share. Each call may reach another one. */

const test = suite("the shared state of several processes");
const servers = new DividedServers();
const { start } = servers;
test.after.each(async () => {
  await closeAll();
  servers.kill();
});

test("a rate of 5 requests a second holds for 4 workers together, however they come", async () => {
  const server = await start(4, { RATE: "5" });
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

test("a switch holds in all workers, also in those that start later", async () => {
  const server = await start(3);
  assert.equal(new Set(await server.texts("extra", 6)), new Set(["extra"]));
  await server.call("switch_off");
  const texts = async (): Promise<string> => [...new Set(await server.texts("extra", 6))].join();
  await until(async () => !(await texts()).includes("extra,") && (await texts()) !== "extra");
  assert.not.match(await texts(), /^extra$/);
  assert.ok(await server.isCut("crash"));
  await server.logged("serving", 4);
  for (const text of await server.texts("extra", 9)) assert.is.not(text, "extra");
  await server.call("switch_on");
  await until(async () => (await texts()) === "extra");
});

test("an event reaches the clients of all workers once", async () => {
  const server = await start(3);
  const updates: number[] = [];
  for (let client = 0; client < 6; client++) {
    const listening = await connectHttp(server.url, "modern");
    updates.push(0);
    listening.setNotificationHandler("notifications/resources/updated", () => {
      updates[client] = (updates[client] ?? 0) + 1;
    });
    await listening.listen({ resourceSubscriptions: ["sample://state"] });
  }
  await server.call("touch");
  await until(() => updates.every((count) => count > 0));
  await delay(300);
  assert.equal(updates, [1, 1, 1, 1, 1, 1]);
});

const ANSWER = { action: "accept", content: { name: "Ada" } };

test("an answer to a question may reach another worker than the question", async () => {
  const server = await start(3, { REQUEST_STATE_KEY: "" });
  for (let turn = 0; turn < 6; turn++) {
    const { result } = await server.call("ask");
    const answered = await server.call("ask", {
      requestState: result?.requestState,
      inputResponses: Object.fromEntries(
        Object.keys(result?.inputRequests ?? {}).map((key) => [key, ANSWER]),
      ),
    });
    assert.is(answered.text, "Hello, Ada");
    // The next question comes from another worker than the last one.
    await server.call("pid");
  }
  const made = server.log.filter(({ message = "" }) => message.startsWith("REQUEST_STATE_KEY"));
  assert.is(made.length, 1, "one process has made the key");
});

test("audit lines of all workers are whole and in the order of their times", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcp-workers-"));
  const file = join(folder, "audit.log");
  const server = await start(3, { AUDIT_FILE: file });
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
  const server = await start(2);
  await server.texts("pid", 4);
  await until(() => server.stderr.split('"audit":"call"').length === 5);
});

test("API keys are read again in all workers", async () => {
  const folder = await mkdtemp(join(tmpdir(), "mcp-workers-"));
  const file = join(folder, "keys");
  const lineOf = (key: string): string =>
    `${key}:${createHash("sha256").update(key).digest("hex")}:\n`;
  await writeFile(file, lineOf("ada"));
  const server = await start(3, { KEY_FILE: file });
  const statuses = async (key: string): Promise<string> => {
    const found: number[] = [];
    for (let call = 0; call < 6; call++) {
      found.push((await server.call("pid", {}, { authorization: `Bearer ${key}` })).status);
    }
    return [...new Set(found)].join();
  };
  assert.is(await statuses("ada"), "200");
  assert.is(await statuses("lin"), "401");
  await writeFile(file, lineOf("lin"));
  await until(async () => (await statuses("lin")) === "200");
  assert.is(await statuses("ada"), "401");
  await rm(folder, { recursive: true });
});

/** The value of a metric, added up over its labels. */
async function metric(server: DividedServer, pattern: RegExp): Promise<number> {
  const page = await (await fetch(new URL("/metrics", server.url))).text();
  const lines = page.split("\n").filter((line) => pattern.test(line));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" "))), 0);
}

test("any worker shows the metrics of all, and those of workers that have ended", async () => {
  const server = await start(3);
  await server.texts("pid", 12);
  const calls = /^mcp_server_requests_total\{.*name="pid"/;
  assert.is(await metric(server, calls), 12);
  assert.is((await metric(server, /^process_resident_memory_bytes\{worker="2"\} /)) > 1e6, true);
  assert.ok(await server.isCut("crash"));
  await server.logged("serving", 4);
  assert.is(await metric(server, calls), 12, "what has been counted is not forgotten");
  await server.texts("pid", 3);
  assert.is(await metric(server, calls), 15);
});

test("a load balancer that has asked one worker hears from all that they will stop", async () => {
  const server = await start(3);
  const ready = new URL("/readyz", server.url);
  assert.is((await fetch(ready)).status, 200);
  // Workers tell their primary process once a second.
  await delay(4_000);
  server.primary.kill("SIGTERM");
  await server.logged("stopping", 4);
  const answers = await Promise.all(Array.from({ length: 9 }, () => server.call("pid")));
  assert.is(new Set(answers.map(({ text }) => text)).size, 3, "all of them still serve");
  assert.is(await server.exit, 0);
});

test.run();
