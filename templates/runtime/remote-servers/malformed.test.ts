import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import type { BackendsOfKind } from "../backends/backends.js";
import { clientOf, RecordingCall } from "../samples/remote-calls.js";
import type { RemoteServer } from "./remote-server.js";
import { createServers } from "./remote-servers.js";
import { urlTransport } from "./url-transport.js";

/** An MCP server that answers with what is no answer of the protocol. */
const test = suite("malformed answers of remote servers");

/** What the server answers, as JSON texts with ID for the id of the request. */
interface Answers {
  initialize?: string;
  discover?: string;
  request?: string;
  contentType?: string;
}

const opened: BackendsOfKind[] = [];
let server: Server;
let url = "";
let answers: Answers = {};

const INITIALIZED =
  '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"r","version":"1"}}';

interface Message {
  readonly id?: number;
  readonly method: string;
}

function answer({ id, method }: Message, response: ServerResponse): void {
  if (id === undefined) return void response.writeHead(202).end();
  const send = (body: string): void => {
    const { contentType = "application/json" } = answers;
    const text = body.replaceAll("ID", String(id));
    response.setHeader("content-type", contentType);
    response.end(contentType === "text/event-stream" ? `event: message\ndata: ${text}\n\n` : text);
  };
  const result = (value: string): string => `{"jsonrpc":"2.0","id":ID,"result":${value}}`;
  if (method === "server/discover") {
    if (answers.discover === undefined) return void response.writeHead(400).end();
    return send(answers.discover);
  }
  if (method === "initialize") return send(answers.initialize ?? result(INITIALIZED));
  send(answers.request ?? result("{}"));
}

test.before(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      if (request.method !== "POST") response.writeHead(405).end();
      else answer(JSON.parse(body) as Message, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
});

test.after(async () => {
  for (const servers of opened) await servers.close();
  server.closeAllConnections();
  server.close();
});

function open(): BackendsOfKind {
  const definition = {
    env: [{ name: "TOKEN", type: "string", required: true, secret: true }],
    urlTransport,
    servers: [{ name: "other", kind: "url" as const, url, private: true, timeoutMs: 20_000 }],
  };
  const options = { env: { TOKEN: "a-secret-of-the-test" }, root: "." };
  const servers = createServers(definition, options, { resultLength: 1_000_000 });
  opened.push(servers);
  return servers;
}

const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

const VALUES = ["null", "7", '"x"', "[]", "[{}]", deep(5_000), `{"a":${deep(5_000)}}`];

type Ask = (remote: RemoteServer) => Promise<unknown>;

const callTool: Ask = (remote) => remote.callTool("t", {});
const getPrompt: Ask = (remote) => remote.getPrompt("p", {});
const readResource: Ask = (remote) => remote.readResource("a:///x");

/** Results with a VALUE of the wrong type, by the request that they answer. */
const RESULTS: readonly (readonly [Ask, readonly string[]])[] = [
  [
    callTool,
    [
      "VALUE",
      '{"content":VALUE}',
      '{"content":[],"structuredContent":VALUE}',
      '{"content":[],"_meta":VALUE}',
      '{"content":[],"isError":VALUE}',
      '{"content":[],"other":VALUE}',
      '{"content":[{"type":VALUE,"text":"x"}]}',
      '{"content":[{"type":"text","text":VALUE}],"isError":true}',
      '{"content":[{"type":"text","text":"x","_meta":VALUE}]}',
      '{"content":[{"type":"image","data":VALUE,"mimeType":VALUE}]}',
      '{"content":[{"type":"resource","resource":VALUE}]}',
      '{"content":[],"resultType":VALUE}',
    ],
  ],
  [getPrompt, ["VALUE", '{"messages":VALUE}', '{"messages":[{"role":"user","content":VALUE}]}']],
  [
    readResource,
    [
      "VALUE",
      '{"contents":VALUE}',
      '{"contents":[{"uri":VALUE,"text":"x"}]}',
      '{"contents":[{"uri":"a:///x","text":VALUE}]}',
      '{"contents":[{"uri":"a:///x","text":"x","_meta":VALUE}]}',
    ],
  ],
];

const result = (value: string): string => `{"jsonrpc":"2.0","id":ID,"result":${value}}`;

/** Messages that are no response of JSON-RPC. */
const MESSAGES = [
  "VALUE",
  '{"jsonrpc":"2.0","id":ID,"error":VALUE}',
  '{"jsonrpc":"2.0","id":ID,"error":{"code":VALUE,"message":"m"}}',
  '{"jsonrpc":"2.0","id":ID,"error":{"code":-32000,"message":VALUE}}',
  '{"jsonrpc":"2.0","id":ID,"error":{"code":-32000,"message":"m","data":VALUE}}',
  '{"jsonrpc":VALUE,"id":ID,"result":{}}',
  '{"jsonrpc":"2.0","id":ID,"result":{},"error":VALUE}',
].flatMap((message) => VALUES.map((value) => message.replace("VALUE", value)));
const OTHER_MESSAGES = ['{"jsonrpc":"2.0","id":ID}', "{}", "", "no JSON", "<html>", '{"a":'];

/** What a caller may read: a sentence, which has nothing of the message, and for tools that the call was answered. */
const SENTENCE = /^ToolError: The upstream other [a-zJSON ]+\.$/;
const CARRIED_OUT =
  " It had answered 200 OK: the call may have been carried out, so it must not be repeated blindly.";
/** The words of the server itself. */
const OWN_WORDS =
  /^ToolError: (?:x|The upstream other (?:answered with an error: [mx]|failed: Server's protocol version is not supported: x\.))$/;

/** What a caller gets of a request, and the log of its call. */
async function outcome(ask: Ask, servers: BackendsOfKind): Promise<[answer: string, log: string]> {
  const call = new RecordingCall();
  const answer = await ask(clientOf(servers, call)).then(
    (answered) => `answered ${JSON.stringify(answered)}`,
    (error: Error) => `${error.name}: ${error.message}`,
  );
  return [answer, JSON.stringify(call.records)];
}

function checkAnswer([told, log]: [string, string], message: string): void {
  const answer = told.replace(CARRIED_OUT, "");
  if (answer.startsWith("answered ") || OWN_WORDS.test(answer)) return;
  assert.match(answer, SENTENCE, `${answer.slice(0, 300)}: ${message.slice(0, 200)}`);
  if (!/message of the protocol|no result|too deeply/.test(answer)) return;
  const line =
    /^\[\["warning","an upstream sends a malformed message",\{"upstream":"other","problem":"[\w ./]+"\}\]\]$/;
  assert.match(log, line, `${answer} ${log}` + message.slice(0, 200));
}

test("every result and message of a wrong form is a sentence for the caller and a line of the log", async () => {
  const servers = open();
  const sentences = new Set<string>();
  const check = async (ask: Ask, request: string, contentType?: string): Promise<void> => {
    answers = { request, ...(contentType !== undefined && { contentType }) };
    const answer = await outcome(ask, servers);
    checkAnswer(answer, request);
    const sentence = answer[0].replace(CARRIED_OUT, "");
    sentences.add(sentence);
    const isProblem = SENTENCE.test(sentence) && !OWN_WORDS.test(sentence);
    assert.is(answer[0] !== sentence, isProblem && ask === callTool, `${answer[0]}: ${request}`);
  };
  for (const [ask, results] of RESULTS) {
    for (const one of results) {
      for (const value of VALUES) await check(ask, result(one.replaceAll("VALUE", value)));
    }
  }
  for (const message of [...MESSAGES, ...OTHER_MESSAGES]) await check(callTool, message);
  for (const message of [...MESSAGES.slice(0, 7), ...OTHER_MESSAGES]) {
    await check(callTool, message, "text/event-stream");
  }
  for (const known of [
    "answered with what is no result of that request",
    "answered with JSON that is nested too deeply",
    "sends what is no message of the protocol",
    "ended before it answered",
  ]) {
    assert.ok(sentences.has(`ToolError: The upstream other ${known}.`), known);
  }
  answers = { request: result('{"content":[{"type":"text","text":"fine"}]}') };
  assert.match((await outcome(callTool, servers))[0], "fine");
});

test("a connection that begins with what is no answer of the protocol is a sentence, too", async () => {
  const members = [
    '{"protocolVersion":VALUE,"capabilities":{},"serverInfo":{"name":"r","version":"1"}}',
    '{"protocolVersion":"2025-06-18","capabilities":VALUE,"serverInfo":{"name":"r","version":"1"}}',
    '{"protocolVersion":"2025-06-18","capabilities":{"tools":VALUE},"serverInfo":VALUE}',
    "VALUE",
  ].flatMap((member) => VALUES.map((value) => result(member.replaceAll("VALUE", value))));
  for (const message of [...members, ...OTHER_MESSAGES]) {
    for (const stage of ["initialize", "discover"] as const) {
      answers = { [stage]: message };
      checkAnswer(await outcome(callTool, open()), `${stage} ${message}`);
    }
  }
});

test("a notification of a wrong form does not disturb the call", async () => {
  const servers = open();
  const fine = result('{"content":[{"type":"text","text":"fine"}]}');
  for (const value of VALUES) {
    for (const notification of [
      `{"method":"notifications/message","params":{"level":"info","data":${value}}}`,
      `{"method":"notifications/message","params":{"level":${value},"data":"x"}}`,
      `{"method":"notifications/progress","params":{"progressToken":ID,"progress":${value}}}`,
      `{"method":"notifications/message","params":${value}}`,
    ]) {
      const event = `{"jsonrpc":"2.0",${notification.slice(1)}`;
      const request = `${event}\n\nevent: message\ndata: ${fine}`;
      answers = { contentType: "text/event-stream", request };
      const [answer, log] = await outcome(callTool, servers);
      assert.match(answer, "fine", notification.slice(0, 100));
      const isDeepData = notification.includes('"level":"info"') && value.length > 1_000;
      if (isDeepData)
        assert.is(log, '[["info","a message of another server is nested too deeply"]]');
    }
  }
});

test("a resource that answers under another URI is refused", async () => {
  const servers = open();
  const read = async (uri: string): Promise<string> => {
    answers = { request: result(`{"contents":[{"uri":${JSON.stringify(uri)},"text":"content"}]}`) };
    return (await outcome(readResource, servers))[0];
  };
  for (const uri of [
    "file:///etc/passwd",
    "a:///y",
    "a:///",
    "a:///xy",
    "A:///X",
    "a:///x/../y",
    "a:///x/%2e%2E/y",
    "a:///x/b/..",
    "a:///x/b%2f..%2f..%2fy",
    "a:///x/..\\y",
    "a:///x\\..\\y",
    "b:///x",
    "",
    "x",
  ]) {
    const refusal = "The upstream other answered with another resource than was asked for.";
    assert.is(await read(uri), `ToolError: ${refusal}`, uri);
  }
  for (const uri of ["a:///x", "A:///x", "a:///b/../x"]) {
    assert.is(await read(uri), 'answered [{"text":"content"}]', uri);
  }
  for (const uri of ["a:///x/b", "a:///x/b/..c", "a:///x/"]) {
    assert.is(await read(uri), `answered [{"uri":"${uri}","text":"content"}]`, uri);
  }
});

test.run();
