import { connectHttp } from "../suite/clients/http.js";
import type { HttpDefinition, SseDefinition, WebSocketDefinition } from "./definition.js";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SSEClientTransport } from "@modelcontextprotocol/client";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServer } from "../server/create-server.js";
import type { TransportDefinition } from "../engine/definition.js";
import { httpEndpoint } from "./endpoint.js";
import { listenWithTls } from "./tls.js";
import { createLog } from "../observe/log.js";
import { sseEndpoint } from "../sse/endpoint.js";
import { closeAll, closeLater, connect } from "../suite/clients/harness.js";
import { sampleServer } from "../samples/server.js";
import { testTls } from "../suite/clients/tls.js";
import { WebSocketClientTransport } from "../suite/clients/websocket-client.js";
import type { RunningHttp } from "./transport.js";
import { webSocketEndpoint } from "../websocket/endpoint.js";

const ofSample = (wanted: string): TransportDefinition | undefined =>
  sampleServer.transports.find(({ type }) => type === wanted);
const sample = ofSample("http") as HttpDefinition;
const tls = { cert: "TEST_TLS_CERT", key: "TEST_TLS_KEY" };
const files = testTls.writeFiles();
test.after(() => rmSync(files.folder, { recursive: true }));
test.after(closeAll);

function serve(cert: string | undefined, key: string, definition = { ...sample, tls }) {
  delete process.env[tls.cert];
  if (cert !== undefined) process.env[tls.cert] = cert;
  process.env[tls.key] = key;
  const log = createLog({ write: () => undefined });
  const server = createServer(sampleServer, { root: process.cwd(), log });
  return async (): Promise<RunningHttp> =>
    listenWithTls(server, [httpEndpoint(server, definition)]);
}

for (const era of ["modern", "legacy"] as const) {
  test(`${era}: the official client is served over TLS`, async () => {
    const http = await serve(files.cert, files.key)();
    assert.match(http.url, /^https:/);
    const client = await connectHttp(http.url, era, testTls.fetch);
    const answer = await client.callTool({ name: "greet", arguments: { who: "Ada" } });
    assert.equal(answer.content, [{ type: "text", text: "Hello, Ada!" }]);
    await closeAll();
    await http.close();
  });
}

test("what shares the address is served over TLS too", async () => {
  process.env[tls.cert] = files.cert;
  process.env[tls.key] = files.key;
  const log = createLog({ write: () => undefined });
  const server = createServer(sampleServer, { root: process.cwd(), log });
  const http = await listenWithTls(server, [
    httpEndpoint(server, { ...sample, tls }),
    sseEndpoint(server, ofSample("sse") as SseDefinition),
    webSocketEndpoint(server, ofSample("websocket") as WebSocketDefinition),
  ]);
  const [events, socket] = [http.urls.get("sse") ?? "", http.urls.get("websocket") ?? ""];
  closeLater(http.close);
  assert.match(`${events} ${socket}`, /^https:.* https:/);
  const send = (url: string | URL, init?: RequestInit): Promise<Response> =>
    testTls.fetch(new Request(url, init));
  for (const [transport, era] of [
    [new SSEClientTransport(new URL(events), { fetch: send }), "legacy"],
    [new WebSocketClientTransport(socket, testTls.authority), "legacy"],
    [new WebSocketClientTransport(socket, testTls.authority), "modern"],
  ] as const) {
    const client = await connect(transport, era);
    const answer = await client.callTool({ name: "greet", arguments: { who: "Ada" } });
    assert.equal(answer.content, [{ type: "text", text: "Hello, Ada!" }]);
  }
  await closeAll();
});

test("an address without TLS is served as ever", async () => {
  const { tls: _none, ...plain } = { ...sample, tls };
  const http = await serve(undefined, "", plain as typeof sample & { tls: typeof tls })();
  assert.match(http.url, /^http:/);
  await http.close();
});

test("files that are not named, not there, or no certificate are told about", async () => {
  const problem = (cert: string | undefined, key: string): Promise<string> =>
    serve(cert, key)().then(
      () => "none",
      ({ name, message }: Error) => `${name}: ${message}`,
    );
  const nonsense = join(files.folder, "nonsense.pem");
  writeFileSync(nonsense, "nonsense");
  assert.is(
    await problem(undefined, files.key),
    "SettingError: TEST_TLS_CERT is not set; it must hold the path of a PEM file",
  );
  assert.match(await problem(files.cert, "/nowhere.pem"), /^SettingError: TEST_TLS_KEY: ENOENT/);
  assert.match(await problem(nonsense, files.key), /^SettingError: TEST_TLS_CERT and TEST_TLS_KEY/);
});

test.run();
