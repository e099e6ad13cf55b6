import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { freePort } from "../../../../templates/runtime/samples/free-port.js";
import { WebSocketClientTransport } from "../../../../templates/runtime/suite/clients/websocket-client.js";
import { DevProcess, gone } from "../../harness/clients/dev-process.js";
import { socketStatus } from "../../harness/clients/entrances.js";
import { mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";

/** `dev` of a project that serves over WebSocket only, at one port. */
const folder = await mkdtemp(join(tmpdir(), "mcpwright-dev-websocket-"));
const port = await freePort();
const url = new URL(`http://127.0.0.1:${port}/ws`);
const started: DevProcess[] = [];
test.after(async () => {
  for (const dev of started) dev.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

async function save(...tools: string[]): Promise<void> {
  await saveWith("websocket", ...tools);
}

async function saveWith(type: "websocket" | "sse", ...tools: string[]): Promise<void> {
  const items = tools.map((name) => `  - { name: ${name}, description: Does ${name}. }\n`);
  const transports = `transports: [{ type: ${type}, port: ${port} }]\n`;
  const text = `name: demo\nversion: 1.0.0\n${transports}tools:\n${items.join("")}`;
  await writeFile(join(folder, "mcp.yaml"), text);
}

/** A connection, the tools that it lists, and when the server ends it. */
async function connected(
  place = url.href,
): Promise<{ readonly tools: string[]; readonly closed: Promise<void> }> {
  const client = new Client({ name: "test", version: "1.0.0" });
  const closed = new Promise<void>((resolve) => (client.onclose = () => resolve()));
  await client.connect(new WebSocketClientTransport(place));
  return { tools: (await client.listTools()).tools.map(({ name }) => name), closed };
}

/** Whether something listens at the port. */
async function isOpen(place = url.href): Promise<boolean> {
  return fetch(place.replace(/^ws/, "http")).then(
    () => true,
    () => false,
  );
}

async function refusesPages(): Promise<void> {
  for (const origin of ["https://attacker.example", `http://localhost.attacker.example:${port}`])
    assert.is(await socketStatus(url, { origin }), 403, origin);
  assert.is(await socketStatus(url, { host: `attacker.example:${port}` }), 403);
}

/** Ended after the tests at the latest. */
function start(...words: string[]): DevProcess {
  const dev = new DevProcess(folder, ...words);
  started.push(dev);
  return dev;
}

await save("first");
await mcpwright(folder, "generate");
await installShared(folder);

test("options choose other transports than the usual one, and a dev that is killed leaves no server", async () => {
  const dev = start("--", "--websocket", "--port", "0");
  const [, processId] = await dev.says(
    /started the server \(process (\d+)\) --websocket --port 0\n/,
  );
  const [, place = ""] = await dev.says(/"url":"([^"]+)"/);
  const { closed } = await connected(place);
  dev.kill("SIGKILL");
  await closed;
  await gone(Number(processId));
  assert.is(await isOpen(place), false);
});

test("a server of WebSocket alone takes the port, refuses pages after each restart, and leaves no port open", async () => {
  const dev = start();
  await dev.says(/started the server \(process \d+\) --websocket\n/);
  await dev.says(/"serving","transport":"websocket"/);
  const first = await connected();
  assert.equal(first.tools, ["first"]);
  await refusesPages();

  // Only a port that the server before has left can be taken again.
  await save("first", "second");
  await first.closed;
  await dev.says(/"serving","transport":"websocket"/);
  const second = await connected();
  assert.equal(second.tools, ["first", "second"]);
  await refusesPages();

  // The manifest decides anew which transport is served.
  await saveWith("sse", "first", "second");
  await second.closed;
  await dev.says(/restarted the server \(process \d+\) --sse\n/);
  await dev.says(/"serving","transport":"sse"/);

  dev.kill("SIGTERM");
  assert.is(await dev.ended, 143);
  assert.is(await isOpen(), false);
});

test.run();
