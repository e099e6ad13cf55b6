import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import {
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Client,
  type Transport,
} from "@modelcontextprotocol/client";
import { packageRoot } from "../../../text/package-root.js";
import { WebSocketClientTransport } from "../../../../templates/runtime/suite/clients/websocket-client.js";
import { CuttingProxy } from "../../harness/services/cutting-proxy.js";
import { DrivenTable } from "../../harness/clients/driven-table.js";
import { connectClient } from "../../harness/clients/every-method.js";
import { buildProject } from "../../harness/projects/built-project.js";
import { copyUserFiles, mcpwright } from "../../harness/projects/generated-project.js";
import { installShared } from "../../harness/projects/installed-packages.js";
import {
  socketTransport,
  startHttp,
  type Era,
  type StartedServer,
} from "../../harness/clients/project-clients.js";
import { WireRecord } from "../../harness/clients/wire-record.js";
import { wireProblems } from "../../harness/clients/wire-schema.js";
import { SingleProcessTransport } from "../../harness/clients/single-process-transport.js";

/** examples/transports, over each of its transports in each era that the transport has. */

const test = suite("the transports of one process");
const example = fileURLToPath(new URL("examples/transports/", packageRoot));
const notice = "transports://notice";
const app = "ui://tools/load_average";

let folder: string;
let sockets: string;
let server: StartedServer;
const driven = new DrivenTable();

test.before(async () => {
  folder = await copyUserFiles(example, "transports");
  sockets = await mkdtemp(join(tmpdir(), "mcpwright-sockets-"));
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  await buildProject(folder);
  const others = ["--sse", "--websocket", "--custom"];
  server = await startHttp(folder, { SOCKET_PATH: socketPath() }, others);
});
test.after(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
  await rm(sockets, { recursive: true, force: true });
  driven.print();
});

const socketPath = (): string => join(sockets, "s");

/** How a client comes to the server; what goes through is kept. */
const TRANSPORTS: Readonly<Record<string, (record: WireRecord) => Promise<Transport>>> = {
  stdio: async (record) => {
    const args = [join(folder, "dist/src/main.js"), "--stdio"];
    const command = { command: process.execPath, args, cwd: folder, stderr: "ignore" as const };
    return record.around(new SingleProcessTransport(command));
  },
  "HTTP, sessions, resumable": async ({ fetch }) =>
    new StreamableHTTPClientTransport(new URL(server.url), { fetch }),
  SSE: async (record) => record.around(new SSEClientTransport(new URL("/sse", server.url))),
  WebSocket: async (record) =>
    record.around(new WebSocketClientTransport(new URL("/ws", server.url).href)),
  "custom (Unix socket)": async (record) =>
    record.around(await socketTransport(folder, socketPath())),
};

/** HTTP with server-sent events ended with the older eras. */
const ERAS: Readonly<Record<string, readonly Era[]>> = { SSE: ["legacy"] };

for (const [name, transport] of Object.entries(TRANSPORTS)) {
  for (const era of ERAS[name] ?? (["modern", "legacy"] as const)) {
    test(`${name}, ${era}: every feature works, and each message fits the protocol's schema`, async () => {
      const record = new WireRecord();
      const client = await connectClient(await transport(record), era);
      const features = await drive(client, era, record);
      await client.close();
      driven.add(name, era, features);
      const messages = record.messages();
      assert.ok(messages.length > 10, `${messages.length} messages were recorded`);
      assert.equal(wireProblems(messages, era), []);
    });
  }
}

test("HTTP, sessions, resumable: a client gets the messages that it missed when its streams broke", async () => {
  const proxy = await CuttingProxy.before(server.url);
  const record = new WireRecord();
  const transport = new StreamableHTTPClientTransport(proxy.url, { fetch: record.fetch });
  const client = await connectClient(transport, "legacy");
  // In the middle of the second report, and then of the third.
  proxy.cutAt('"progress":2', '"progress":3');
  await countDown(client, record);
  assert.is(proxy.cutsLeft, 0);
  const resumed = [...proxy.sent.matchAll(/^last-event-id: (.+)\r$/gim)].map(([, id]) =>
    Number(id),
  );
  assert.is(resumed.length, 2);
  assert.ok(resumed[0]! < resumed[1]!, "each goes on where the one before broke");
  await missUpdate(client, record, proxy);
  await client.close();
  proxy.close();
  driven.add("HTTP, sessions, resumable", "legacy", ["resumption by Last-Event-ID"]);
});

/** The stream on which a server speaks of its own accord breaks, and the client hears what came meanwhile. */
async function missUpdate(client: Client, record: WireRecord, proxy: CuttingProxy): Promise<void> {
  const method = "notifications/resources/updated";
  const updates = (): number =>
    record.messages().filter(({ message }) => message["method"] === method).length;
  const change = (text: string): Promise<void> =>
    writeFile(join(folder, "notices/notice.txt"), text);
  await client.subscribeResource({ uri: notice });
  // The stream may open after the client has subscribed.
  for (let count = 0; updates() === 0; count++) {
    await change(`Here it comes: ${count}.`);
    await delay(200);
  }
  proxy.cutAt(method);
  const before = updates();
  await change("Gone by.");
  while (proxy.cutsLeft > 0 || updates() === before) await delay(20);
}

/** Uses every feature that the example has; returns their names. */
async function drive(client: Client, era: Era, record: WireRecord): Promise<string[]> {
  const features: Readonly<Record<string, () => Promise<void>>> = {
    [era === "modern" ? "discover" : "handshake, ping"]: () => greet(client, era),
    "tools with output": () => callTools(client),
    progress: () => countDown(client, record),
    errors: () => fail(client),
    "resources from files": () => readNotice(client),
    "MCP App": () => showApp(client),
    "subscription to a watched file": () => watchNotice(client, era),
  };
  for (const use of Object.values(features)) await use();
  return Object.keys(features);
}

async function greet(client: Client, era: Era): Promise<void> {
  assert.is(client.getServerVersion()?.name, "transports");
  if (era === "modern") await client.discover();
  else await client.ping();
}

async function callTools(client: Client): Promise<void> {
  const { structuredContent } = await client.callTool({ name: "load_average", arguments: {} });
  assert.is((structuredContent as { averages: number[] }).averages.length, 3);
}

async function countDown(client: Client, record: WireRecord): Promise<void> {
  const options = { onprogress: () => undefined };
  const { content } = await client.callTool({ name: "count_down", arguments: {} }, options);
  assert.equal(content, [{ type: "text", text: "3, 2, 1, 0" }]);
  // The SDK's client loses notifications that come in one go with the answer after them.
  const reports = record
    .messages()
    .filter(({ message }) => message["method"] === "notifications/progress")
    .map(({ message }) => (message["params"] as { progress: number }).progress);
  assert.equal(reports, [1, 2, 3, 4]);
}

async function fail(client: Client): Promise<void> {
  const answer = await client.callTool({ name: "count_down", arguments: { from: -1 } });
  assert.is(answer.isError, true);
  const unknown = await client.callTool({ name: "no_such_tool" }).catch((error: unknown) => error);
  assert.instance(unknown, Error);
}

async function readNotice(client: Client): Promise<void> {
  const { contents } = await client.readResource({ uri: notice });
  assert.is(contents[0]?.uri, notice);
  assert.is(contents[0]?.mimeType, "text/plain");
}

/** What a client that shows MCP Apps goes by: the tool names a page, which is listed and read as one. */
async function showApp(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  const meta = tools.find(({ name }) => name === "load_average")?._meta;
  assert.equal(meta, { ui: { resourceUri: app }, "ui/resourceUri": app });
  const { extensions } = client.getServerCapabilities() ?? {};
  assert.equal(extensions, { "io.modelcontextprotocol/ui": {} });
  const { resources } = await client.listResources();
  const listed = resources.find(({ uri }) => uri === app);
  assert.is(listed?.mimeType, "text/html;profile=mcp-app");
  assert.equal(listed?._meta, { ui: { prefersBorder: true } });
  const { contents } = await client.readResource({ uri: app });
  assert.is(contents.length, 1);
  const [page] = contents;
  assert.is(page?.mimeType, "text/html;profile=mcp-app");
  assert.equal(page?._meta, listed?._meta);
  assert.match(page !== undefined && "text" in page ? page.text : "", /^<!doctype html>/);
}

/** The project's own code watches the file, and tells of its changes. */
async function watchNotice(client: Client, era: Era): Promise<void> {
  const updated = new Promise<string>((resolve) => {
    client.setNotificationHandler("notifications/resources/updated", ({ params: { uri } }) =>
      resolve(uri),
    );
  });
  const stop = await subscribe(client, era);
  const changes = new AbortController();
  const text = `All is well over ${era}.`;
  // The stream on which older clients hear of it over HTTP may open after they have subscribed.
  const changing = (async () => {
    while (!changes.signal.aborted) {
      await writeFile(join(folder, "notices/notice.txt"), text);
      await delay(200, undefined, { signal: changes.signal }).catch(() => undefined);
    }
  })();
  assert.is(await updated, notice);
  changes.abort();
  await changing;
  const { contents } = await client.readResource({ uri: notice });
  assert.is((contents[0] as { text: string }).text, text);
  await stop();
}

async function subscribe(client: Client, era: Era): Promise<() => Promise<unknown>> {
  if (era === "modern") {
    const listening = await client.listen({ resourceSubscriptions: [notice] });
    return () => listening.close();
  }
  await client.subscribeResource({ uri: notice });
  return () => client.unsubscribeResource({ uri: notice });
}

test.run();
