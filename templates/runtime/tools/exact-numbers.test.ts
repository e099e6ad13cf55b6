import { once } from "node:events";
import { PassThrough } from "node:stream";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { WebSocket } from "ws";
import type { HttpDefinition, SseDefinition, WebSocketDefinition } from "../http/definition.js";
import { httpEndpoint } from "../http/endpoint.js";
import { listen } from "../http/listener.js";
import { createLog } from "../observe/log.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import { until } from "../samples/until.js";
import { createServer, type RunningServer } from "../server/create-server.js";
import { sseEndpoint } from "../sse/endpoint.js";
import { serveStdioClient } from "../stdio/stdio.js";
import { closeAll, closeLater } from "../suite/clients/harness.js";
import { webSocketEndpoint } from "../websocket/endpoint.js";
import { exactNumbers } from "./exact-numbers.js";

const schema = { type: "integer" } as const;
const tools = [
  tool(
    "take",
    erased((input: unknown) => `took ${JSON.stringify(input)}`),
    {
      properties: {
        whole: schema,
        any: {},
        number: { type: "number" },
        list: { type: "array", items: { anyOf: [schema, { type: "null" }] } },
        sizes: { type: "object", additionalProperties: { type: ["number", "string"] } },
        text: { type: "string" },
      },
    },
  ),
];

/** Arguments that are refused, with the text of the answer. */
const REFUSED: Readonly<Record<string, RegExp>> = {
  '{"whole":9007199254740993}': /whole: 9007199254740993 cannot be represented exactly/,
  '{"whole":12345678901234567890}': /12345678901234567890 cannot/,
  '{"whole":-9007199254740993}': /-9007199254740993 cannot/,
  '{"whole":1E-400}': /whole: 1E-400 cannot be represented exactly and would be read as 0/,
  '{"whole":1.00000000000000000001}': /would be read as 1"/,
  '{"whole":9007199254740993.0}': /cannot/,
  '{"any":9007199254740993}': /any: 9007199254740993/,
  '{"any":1e400}': /any: 1e400 cannot/,
  '{"any":12345678901234567891e20}': /any: 12345678901234567891e20 cannot/,
  '{"whole":1e+39}': /whole: 1e\+39 cannot/,
  '{"any":{"deep":[1,-1e400]}}': /any\.deep\.1: -1e400 cannot/,
  '{"number":1e400}': /number: (must be number|1e400 cannot)/,
  '{"whole":1e400}': /whole: (must be integer|1e400 cannot)/,
  '{"list":[1,9007199254740993]}': /list\.1: 9007199254740993 cannot/,
};

/** Arguments that are accepted, as the handler gets them. */
const TAKEN: Readonly<Record<string, string>> = {
  '{"whole":9007199254740992}': '{"whole":9007199254740992}',
  '{"whole":-0}': '{"whole":0}',
  '{"whole":1e2}': '{"whole":100}',
  '{"whole":1000000000000000000000}': '{"whole":1e+21}',
  '{"whole":1.0e22}': '{"whole":1e+22}',
  '{"any":1e+39}': '{"any":1e+39}',
  '{"any":{"deep":[-1E300]}}': '{"any":{"deep":[-1e+300]}}',
  '{"number":9007199254740993}': '{"number":9007199254740992}',
  '{"number":0.1234567890123456789}': '{"number":0.12345678901234568}',
  '{"sizes":{"a":12345678901234567890}}': '{"sizes":{"a":12345678901234567000}}',
  '{"text":"12345678901234567890 \\" 1e400"}': '{"text":"12345678901234567890 \\" 1e400"}',
};

interface Send {
  (body: string): Promise<string>;
}

const definitionOf = <Definition>(type: string): Definition =>
  sampleServer.transports.find((transport) => transport.type === type) as Definition;

function serverOf(fastPath: boolean): RunningServer {
  const log = createLog({ write: () => undefined });
  return createServer(
    { ...sampleServer, exactNumbers, tools },
    { root: process.cwd(), log, fastPath },
  );
}

const handshake = JSON.stringify({
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "exact", version: "1" },
  },
});

const envelope =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}';

const call = (args: string, isModern: boolean): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"take","arguments":${args}${isModern ? `,${envelope}` : ""}}}`;

async function overHttp(fastPath: boolean, isModern: boolean): Promise<Send> {
  const server = serverOf(fastPath);
  const endpoint = httpEndpoint(server, definitionOf<HttpDefinition>("http"));
  const { url, close } = await listen(server, [endpoint]);
  closeLater(close);
  const modern = {
    "mcp-protocol-version": "2026-07-28",
  };
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(isModern ? modern : {}),
  };
  return async (body) => {
    const names = /"method":"([^"]+)","params":\{"name":"([^"]+)"/.exec(body);
    const named = { "mcp-method": names?.[1] ?? "tools/call", "mcp-name": names?.[2] ?? "take" };
    const request = { method: "POST", headers: { ...headers, ...(isModern && named) }, body };
    return (await fetch(url, request)).text();
  };
}

async function overSse(): Promise<Send> {
  const server = serverOf(true);
  const { url, close } = await listen(server, [
    sseEndpoint(server, definitionOf<SseDefinition>("sse")),
  ]);
  closeLater(close);
  const stream = await fetch(url);
  let text = "";
  void (async () => {
    for await (const piece of stream.body!.pipeThrough(new TextDecoderStream())) text += piece;
  })().catch(() => undefined);
  await until(() => text.includes("sessionId"));
  const target = new URL(/data: (\S+)/.exec(text)?.[1] ?? "", url);
  const send: Send = async (body) => {
    text = "";
    const headers = { "content-type": "application/json" };
    await (await fetch(target, { method: "POST", headers, body })).text();
    await until(() => text.includes("\n\n"));
    return text;
  };
  await send(handshake);
  return send;
}

async function overWebSocket(isModern: boolean): Promise<Send> {
  const server = serverOf(true);
  const { url, close } = await listen(server, [
    webSocketEndpoint(server, definitionOf<WebSocketDefinition>("websocket")),
  ]);
  closeLater(close);
  const socket = new WebSocket(url.replace("http", "ws"), "mcp");
  await once(socket, "open");
  const send: Send = async (body) => {
    socket.send(body);
    const [data] = (await once(socket, "message")) as [Buffer];
    return data.toString();
  };
  if (!isModern) await send(handshake);
  return send;
}

async function overStdio(fastPath: boolean, isModern: boolean): Promise<Send> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const stdio = serveStdioClient(serverOf(fastPath), output, () => undefined, input);
  closeLater(async () => {
    input.end();
    await stdio.close();
  });
  const send: Send = async (body) => {
    input.write(`${body}\n`);
    const [data] = (await once(output, "data")) as [Buffer];
    return data.toString();
  };
  if (!isModern) await send(handshake);
  return send;
}

test.after(() => closeAll());

const WAYS: Readonly<Record<string, readonly [open: () => Promise<Send>, isModern: boolean]>> = {
  "HTTP, modern": [() => overHttp(true, true), true],
  "HTTP, modern, the SDK alone": [() => overHttp(false, true), true],
  "HTTP, legacy": [() => overHttp(true, false), false],
  "HTTP, legacy, the SDK alone": [() => overHttp(false, false), false],
  SSE: [overSse, false],
  "WebSocket, modern": [() => overWebSocket(true), true],
  "WebSocket, legacy": [() => overWebSocket(false), false],
  "stdio, modern": [() => overStdio(true, true), true],
  "stdio, modern, the SDK alone": [() => overStdio(false, true), true],
  "stdio, legacy": [() => overStdio(true, false), false],
};

for (const [name, [open, isModern]] of Object.entries(WAYS)) {
  test(`${name}: numbers reach a handler as they were written, or the call is refused`, async () => {
    const send = await open();
    for (const [args, expected] of Object.entries(REFUSED)) {
      const answer = await send(call(args, isModern));
      assert.match(answer, '"isError":true', `${args}: ${answer}`);
      assert.match(answer, /Input validation error: Invalid arguments for tool take: /);
      assert.match(answer, expected, args);
    }
    for (const [args, expected] of Object.entries(TAKEN)) {
      const answer = await send(call(args, isModern));
      const escaped = JSON.stringify(`took ${expected}`);
      assert.ok(answer.includes(escaped), `${args}: ${answer}`);
    }
  });
}

test("a number among a prompt's arguments is refused, and nobody sees how it was kept", async () => {
  for (const [open, isModern] of Object.values(WAYS)) {
    const send = await open();
    for (const number of ["12345678901234567890", "1e400", "9".repeat(2_000)]) {
      const prompt = call(`{"city":${number}}`, isModern)
        .replace("tools/call", "prompts/get")
        .replace('"name":"take"', '"name":"plan_trip"');
      const answer = await send(prompt);
      assert.match(answer, '"code":-32602', answer);
      assert.match(answer, /Argument \\"city\\" of prompt plan_trip must be a string/);
      assert.not.match(answer, "rounded");
    }
  }
});

test("numbers elsewhere in a message and invalid JSON are not changed", async () => {
  const send = await overHttp(true, true);
  const body = call("{}", true);
  assert.match(await send(body.replace('"id":1', '"id":9007199254740993')), /"error"|"result"/);
  for (const args of ["{1e400:1}", "[1e400", "1e400e400", "{'a':1e400}", '{"any":01e400}']) {
    assert.match(await send(call(args, true)), /"code":-32700/, args);
  }
  const keys = `{"param\\u0073":{"name":"take","arguments":{"whole":1e-400},${envelope}}}`;
  const escaped = `{"jsonrpc":"2.0","id":1,"method":"tools/call",${keys.slice(1)}`;
  assert.match(await send(escaped), /whole: 1e-400 cannot/);
});

test.run();
