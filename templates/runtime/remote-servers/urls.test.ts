import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { BackendsOfKind } from "../backends/backends.js";
import { clientOf, outcomeOfCall, RecordingCall, textOf } from "../samples/remote-calls.js";
import { until } from "../samples/until.js";
import type { RemoteServerDefinition } from "./definition.js";
import type { CallOptions } from "./remote-server.js";
import { createServers } from "./remote-servers.js";
import { urlTransport } from "./url-transport.js";

/** An MCP server of an older era at a URL. The called tool decides how it behaves. */
const test = suite("remote urls");
const SECRET = "s3cret-word";
const opened: BackendsOfKind[] = [];
let server: Server;
let url = "";

interface Message {
  readonly id?: number;
  readonly method: string;
  readonly params: { readonly name: string; readonly _meta?: { readonly progressToken?: number } };
}

/** The requests that the server has received. */
const requests = {
  authorization: new Set<unknown>(),
  sessions: 0,
  broken: 0,
  cancelled: 0,
  gets: 0,
};
let session = "";

const json = (response: ServerResponse, id: unknown, result: object): void => {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
};
const text = (content: string): object => ({ content: [{ type: "text", text: content }] });
const event = (message: object): string =>
  `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;

type AnswerTool = (response: ServerResponse, message: Message) => void | Promise<void>;

const TOOLS: Readonly<Record<string, AnswerTool>> = {
  echo: (response, { id }) => json(response, id, text("here")),
  forgets(response, { id }) {
    session = "";
    json(response, id, text("forgotten"));
  },
  streams(response, { id, params }) {
    response.setHeader("content-type", "text/event-stream");
    const token = params._meta?.progressToken;
    const report = { progressToken: token, progress: 1 };
    response.write(
      event({ method: "notifications/message", params: { level: "info", data: params.name } }),
    );
    response.write(event({ method: "notifications/progress", params: report }));
    response.end(event({ id, result: text("streamed") }));
  },
  long: (response, { id }) => json(response, id, text("x".repeat(200_000))),
  async splitEvents(response, { id }) {
    response.setHeader("content-type", "text/event-stream");
    const data = "x".repeat(60_000);
    const log = event({ method: "notifications/message", params: { level: "info", data } });
    for (let count = 0; count < 3; count++) {
      response.write(`${count === 0 ? "" : "\n"}${log.slice(0, -1)}`);
      await delay(20);
    }
    response.end(`\n${event({ id, result: text("split") })}`);
  },
  longEvent(response) {
    response.setHeader("content-type", "text/event-stream");
    const timer = setInterval(() => response.write("data: ".padEnd(50_000, "x")), 1);
    response.once("close", () => clearInterval(timer));
  },
  endless(response) {
    response.setHeader("content-type", "text/event-stream");
    const message = event({
      method: "notifications/message",
      params: { level: "info", data: "more" },
    });
    const timer = setInterval(() => response.write(message), 1);
    response.once("close", () => {
      clearInterval(timer);
      requests.broken += 1;
    });
  },
  breaks(response) {
    response.setHeader("content-type", "text/event-stream");
    response.write("data: {");
    setTimeout(() => response.destroy(), 20);
  },
  breaksJson(response) {
    response.writeHead(200, { "content-type": "application/json", "content-length": 900 });
    response.write(`{"jsonrpc":"2.0","result":{"content":[{"text":"order ${SECRET}`);
    setTimeout(() => response.destroy(), 20);
  },
  async breaksLater(response) {
    response.setHeader("content-type", "text/event-stream");
    const log = { method: "notifications/message", params: { level: "info", data: "more" } };
    response.write(event(log));
    await delay(20);
    response.write(event(log));
    response.write('event: message\ndata: {"jsonrpc":"2.0","result":{"con');
    setTimeout(() => response.destroy(), 20);
  },
  ends(response) {
    response.setHeader("content-type", "text/event-stream");
    response.end(": nothing\n\n");
  },
  fails: (response) => void response.writeHead(500).end(`a trace of ${SECRET}`),
  moves: (response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end(),
};

function answer(request: IncomingMessage, response: ServerResponse, body: string): void {
  requests.authorization.add(request.headers.authorization);
  if (request.method === "GET") requests.gets += 1;
  if (request.method !== "POST") return void response.writeHead(405).end();
  const message = JSON.parse(body) as Message;
  if (message.method === "server/discover") return void response.writeHead(400).end();
  if (message.method === "initialize") {
    requests.sessions += 1;
    session = `session-${requests.sessions}`;
    response.setHeader("mcp-session-id", session);
    const result = { capabilities: { tools: {} }, serverInfo: { name: "r", version: "1" } };
    return json(response, message.id, { protocolVersion: "2025-06-18", ...result });
  }
  if (request.headers["mcp-session-id"] !== session) return void response.writeHead(404).end();
  if (message.method === "notifications/cancelled") requests.cancelled += 1;
  if (message.id === undefined) return void response.writeHead(202).end();
  void TOOLS[message.params.name]?.(response, message);
}

test.before(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => answer(request, response, body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});

test.after(async () => {
  for (const servers of opened) await servers.close();
  server.closeAllConnections();
  server.close();
});

function open(members: Partial<RemoteServerDefinition> = {}): BackendsOfKind {
  const other = { name: "other", kind: "url" as const, url, private: true, ...members };
  const auth = { kind: "bearer" as const, token: { env: "TOKEN" } };
  const definition = {
    env: [{ name: "TOKEN", type: "string", required: true, secret: true }],
    urlTransport,
    servers: [{ auth, ...other }],
  };
  const options = { env: { TOKEN: SECRET }, root: "." };
  const servers = createServers(definition, options, { resultLength: 100_000 });
  opened.push(servers);
  return servers;
}

test("calls have credentials and share a session, which is opened again after the server ended it", async () => {
  const servers = open();
  for (let call = 0; call < 2; call += 1) assert.is(await outcomeOfCall(servers, "echo"), "here");
  assert.is(requests.sessions, 1);
  assert.equal([...requests.authorization], [`Bearer ${SECRET}`]);
  assert.is(await outcomeOfCall(servers, "forgets"), "forgotten");
  assert.is(await outcomeOfCall(servers, "echo"), "here");
  assert.is(requests.sessions, 2);
  assert.is(requests.gets, 0, "no separate stream is open");
});

test("messages on the stream of an answer go to its call, even while other calls run", async () => {
  const servers = open();
  const [first, second] = [new RecordingCall(), new RecordingCall()];
  const waiting = clientOf(servers, second).callTool("endless", {});
  waiting.catch(() => undefined);
  await until(() => second.records.length > 0);
  assert.is(textOf(await clientOf(servers, first).callTool("streams", {})), "streamed");
  assert.equal(first.records, [
    ["info", "streams"],
    [1, undefined, undefined],
  ]);
  const { broken, cancelled } = requests;
  second.cancel(new Error("enough"));
  assert.is(await waiting.catch(({ message }: Error) => message), "enough");
  await until(() => requests.broken > broken && requests.cancelled > cancelled);
  assert.is(
    second.records.every((message) => JSON.stringify(message) === '["info","more"]'),
    true,
  );
});

test("the message says that an answer is too long, breaks off, fails, is a redirect, or takes too long", async () => {
  const servers = open();
  const partOf = (start: string): string => `${CARRIED_OUT} This came of the answer:\n${start}`;
  const expectedProblems = {
    long: `sends more than 100000 bytes.${partOf('{"jsonrpc":"2.0","id":')}`,
    longEvent: `sends more than 100000 bytes.${partOf("x".repeat(30_000))}`,
    fails: "answered with status 500.",
    moves: "answered with status 302.",
    breaks: `ended before it answered.${partOf("{")}`,
    breaksJson: `broke off the connection.${partOf('{"jsonrpc":"2.0","result":{"content":[{"text":"order [masked]')}`,
    ends: `ended before it answered.${CARRIED_OUT}`,
  };
  for (const [name, problem] of Object.entries(expectedProblems)) {
    const outcome = await outcomeOfCall(servers, name);
    const expected = `ToolError: The upstream other ${problem}`;
    assert.is(outcome.slice(0, expected.length), expected, name);
    const isPart = problem.includes("This came");
    assert.is(outcome.length > expected.length, isPart && !name.startsWith("breaks"), name);
    assert.ok(outcome.length < 33_500, name);
    assert.is(await outcomeOfCall(servers, "echo"), "here", `after ${name}`);
  }
  const problem = `ToolError: The upstream other did not answer within 1000 ms.${CARRIED_OUT}`;
  assert.is(await outcomeOfCall(open({ timeoutMs: 1_000 }), "endless"), problem);
});

const CARRIED_OUT =
  " It had answered 200 OK: the call may have been carried out, so it must not be repeated blindly.";

test("a strict call refuses what breaks off as before, one with a selection shows nothing of it, and the log says so", async () => {
  const servers = open();
  const call = new RecordingCall();
  const messageOf = (options: CallOptions): Promise<string> =>
    clientOf(servers, call)
      .callTool("breaksJson", {}, options)
      .then(String, ({ message }: Error) => message);
  const broken = "The upstream other broke off the connection.";
  assert.is(await messageOf({ strict: true }), broken);
  assert.equal(call.records, []);
  assert.is(await messageOf({ select: () => ({}) }), broken + CARRIED_OUT);
  assert.equal(call.records, [
    [
      "warning",
      "an upstream began to answer a call, but its answer cannot be read",
      { upstream: "other", problem: broken, status: 200 },
    ],
  ]);
});

test("of a stream that breaks off, only the event without an end is shown", async () => {
  assert.match(
    await outcomeOfCall(open(), "breaksLater"),
    /blindly\. This came of the answer:\n\{"jsonrpc":"2\.0","result":\{"con$/,
  );
});

test("events are counted one by one, also if the blank line between them arrives in two parts", async () => {
  assert.is(await outcomeOfCall(open({}), "splitEvents"), "split");
});

test("private addresses are refused unless the manifest allows them, and absent servers are an error", async () => {
  const refusal =
    "leads to an address that is not public, which is refused without `private: true`";
  assert.is(
    await outcomeOfCall(open({ private: false }), "echo"),
    `ToolError: The upstream other ${refusal}.`,
  );
  const closedServer = createServer();
  await new Promise<void>((resolve) => closedServer.listen(0, "127.0.0.1", resolve));
  const { port } = closedServer.address() as AddressInfo;
  await new Promise((resolve) => closedServer.close(resolve));
  const absent = open({ url: `http://127.0.0.1:${port}/mcp` });
  assert.is(
    await outcomeOfCall(absent, "echo"),
    "ToolError: The upstream other cannot be reached.",
  );
});

test.run();
