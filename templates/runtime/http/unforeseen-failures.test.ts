import { once } from "node:events";
import { PassThrough } from "node:stream";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { WebSocket } from "ws";
import type { ServerDefinition } from "../engine/definition.js";
import { createLog } from "../observe/log.js";
import { createServer, type RunningServer } from "../server/create-server.js";
import { sampleServer } from "../samples/server.js";
import { until } from "../samples/until.js";
import { sseEndpoint } from "../sse/endpoint.js";
import { serveStdioClient } from "../stdio/stdio.js";
import { closeAll, closeLater } from "../suite/clients/harness.js";
import { modernRequest, sendRaw } from "../suite/clients/http.js";
import { webSocketEndpoint } from "../websocket/endpoint.js";
import type { HttpDefinition, SseDefinition, WebSocketDefinition } from "./definition.js";
import { httpEndpoint } from "./endpoint.js";
import { listen } from "./listener.js";
import type { RunningHttp } from "./transport.js";

/** Failures in the server's own code while it handles a message. */

const test = suite("unforeseen failures");
test.after(closeAll);

const reference = /^Internal error \(reference ([0-9a-f]{8})\)$/;

const request = (id: number): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "greet" } });

/** A server in which something fails at each message that has the word `greet`, and its log. */
function failing(parts: Partial<ServerDefinition> = {}): {
  server: RunningServer;
  lines: string[];
} {
  const lines: string[] = [];
  const log = createLog({ write: (line) => void lines.push(line) });
  const fail = (message: Buffer): Buffer => {
    if (message.includes("greet")) throw new Error("password=hunter2");
    return message;
  };
  const definition = { ...sampleServer, convertMessage: fail, ...parts };
  return { server: createServer(definition, { root: process.cwd(), log }), lines };
}

/** Fails when the scopes of a message are looked up, after it was read. */
const failingScopes: Partial<ServerDefinition> = {
  convertMessage: (message) => message,
  createScopes: () => ({
    all: [],
    neededBy: () => [],
    mayUseAll: () => true,
    unmetBy: (body) => {
      if (JSON.stringify(body).includes("greet")) throw new Error("password=hunter2");
      return undefined;
    },
  }),
};

async function serve(server: RunningServer): Promise<RunningHttp> {
  const of = (type: string) => sampleServer.transports.find((one) => one.type === type);
  const running = await listen(server, [
    httpEndpoint(server, of("http") as HttpDefinition),
    sseEndpoint(server, of("sse") as SseDefinition),
    webSocketEndpoint(server, of("websocket") as WebSocketDefinition),
  ]);
  closeLater(() => running.close());
  return running;
}

interface AnsweredError {
  readonly code: number;
  readonly message: string;
}

/** Checks that an error refers to the only line of the log that reports a failure, and forgets the line. */
function assertReferred(error: AnsweredError | undefined, lines: string[]): void {
  assert.is(error?.code, -32603);
  const [, id = "none"] = reference.exec(error?.message ?? "") ?? [];
  const failures = lines.splice(0).filter((line) => line.includes('"level":"error"'));
  assert.is(failures.length, 1, failures.join(""));
  assert.ok(failures[0]?.includes(`"reference":"${id}"`), failures[0]);
  assert.ok(failures[0]?.includes("hunter2"), "the line says what failed");
}

for (const [when, parts] of Object.entries({ "is read": {}, "is checked": failingScopes })) {
  test(`over HTTP, a failure while a message ${when} is an internal error with a reference`, async () => {
    const { server, lines } = failing(parts);
    const { url } = await serve(server);
    const call = { name: "greet", arguments: { who: "Ada" } };
    // The SDK answers pages of other origins; the fast path looks up no scopes.
    for (const origin of [undefined, "https://app.example.com"]) {
      if (when === "is checked" && origin === undefined) continue;
      const headers = origin === undefined ? {} : { origin };
      const { status, message } = await sendRaw(modernRequest(url, "tools/call", call, headers));
      assert.is(status, 500);
      assertReferred(message.error, lines);
    }
    assert.is((await sendRaw(modernRequest(url, "tools/list"))).status, 200);
  });
}

test("over WebSocket, a failure is an internal error with a reference, and the connection goes on", async () => {
  const { server, lines } = failing(failingScopes);
  const { urls } = await serve(server);
  const socket = new WebSocket(String(urls.get("websocket")).replace("http", "ws"), "mcp");
  closeLater(() => socket.terminate());
  await once(socket, "open");
  const answerTo = async (text: string) => {
    socket.send(text);
    const [data] = (await once(socket, "message")) as [Buffer];
    return JSON.parse(data.toString()) as { id: number; error?: AnsweredError };
  };
  const failed = await answerTo(request(7));
  assert.is(failed.id, 7);
  assertReferred(failed.error, lines);
  const handshake = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: {} };
  const next = { jsonrpc: "2.0", id: 8, method: "initialize", params: handshake };
  assert.is((await answerTo(JSON.stringify(next))).id, 8);
});

test("over stdio, a failure is an internal error with a reference, and the server goes on", async () => {
  const broken = { ...sampleServer.prompts[0]!, handler: undefined as never };
  const { server, lines } = failing({
    convertMessage: (message) => message,
    prompts: [broken],
    createPagedList: () => {
      return {
        page: () => {
          throw new Error("password=hunter2");
        },
        ...{ isOn: () => true, canChange: false, visibleTo: () => ({ positions: [], owner: "" }) },
      };
    },
  });
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = "";
  output.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const running = serveStdioClient(server, output, () => undefined, input);
  closeLater(() => running.close());
  const clientInfo = { name: "a", version: "1" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  for (const message of [
    { id: 1, method: "initialize", params },
    { id: 2, method: "tools/list" },
    { id: 3, method: "ping" },
  ]) {
    input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }
  await until(() => ["1", "2", "3"].every((id) => text.includes(`"id":${id}`)));
  const messages = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { id: number; error?: AnsweredError });
  assertReferred(messages.find(({ id }) => id === 2)?.error, lines);
});

test.run();
