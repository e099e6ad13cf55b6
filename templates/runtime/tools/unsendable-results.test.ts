import { modernRequest, sendRaw } from "../suite/clients/http.js";
import { InMemoryTransport, isJSONRPCErrorResponse } from "@modelcontextprotocol/server";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { serveConnection } from "../connections/connection.js";
import { text } from "../engine/content.js";
import { createServer, type RunningServer } from "../server/create-server.js";
import type { HttpDefinition } from "../http/definition.js";
import { httpEndpoint } from "../http/endpoint.js";
import { listen } from "../http/listener.js";
import { createLog } from "../observe/log.js";
import { result } from "./result.js";
import { closeAll, closeLater } from "../suite/clients/harness.js";
import { erased, sampleServer, tool } from "../samples/server.js";

/** Longest result, in characters. */
const longest = 1_000;

/** What is returned by the code of the item that a request is about. */
let returned: unknown;
const code = erased(() => returned);
const handled = { handler: () => code };

const definition = {
  ...sampleServer,
  limits: { resultLength: longest },
  tools: [
    tool("plain", code),
    tool("structured", code, { outputSchema: { type: "object" } }),
    ...sampleServer.tools,
  ],
  resources: [{ definition: { uri: "x://it", name: "it" }, ...handled }],
  resourceTemplates: [
    {
      definition: { uriTemplate: "x://{one}", name: "one" },
      parts: [
        { kind: "literal", text: "x://" },
        { kind: "expression", operator: "", names: ["one"], explode: false },
      ],
      list: () => () => returned,
      ...handled,
    } as const,
  ],
  prompts: [
    {
      definition: { name: "ask", arguments: [{ name: "about" }] },
      complete: { about: () => code },
      ...handled,
    },
  ],
};

const meta = { value: 1n };
const circular: Record<string, unknown> = {};
circular["again"] = circular;
const long = "x".repeat(longest);

/** Requests; for each, results that its code may not return, and the longest one that it may. */
const requests: readonly (readonly [
  method: string,
  params: object,
  bad: readonly unknown[],
  good: unknown,
])[] = [
  [
    "tools/call",
    { name: "plain" },
    [
      result({ content: "a", meta }),
      [{ ...text("a"), _meta: meta }],
      [{ ...text("a"), _meta: circular }],
      `${long}.`,
    ],
    "x".repeat(longest / 2),
  ],
  [
    "tools/call",
    { name: "structured" },
    [{ value: 1n }, circular, { long }, undefined],
    { value: 1 },
  ],
  ["resources/read", { uri: "x://it" }, [{ text: "a", meta }, `${long}.`, 1n], long],
  ["resources/read", { uri: "x://other" }, [{ text: "a", meta: circular }, `${long}.`], long],
  [
    "resources/list",
    {},
    [
      [{ name: "a", variables: { one: "a" }, meta }],
      [{ name: "a", variables: { one: "a" }, description: long }],
    ],
    [{ name: "a", variables: { one: "a" } }],
  ],
  [
    "prompts/get",
    { name: "ask" },
    [
      [{ role: "user", content: { ...text("a"), _meta: meta } }],
      [{ role: "user", content: text("a"), extra: circular }],
      { description: `${long}.`, messages: [] },
      `${long}.`,
    ],
    long,
  ],
  [
    "completion/complete",
    { ref: { type: "ref/prompt", name: "ask" }, argument: { name: "about", value: "" } },
    [[1n], [`${long}.`], { values: 1n }],
    [long],
  ],
];

test.after(closeAll);

function makeServer(fastPath: boolean): RunningServer {
  const log = createLog({ write: () => undefined });
  return createServer(definition, { root: process.cwd(), log, fastPath });
}

type Ask = (method: string, params: object) => Promise<{ result?: unknown; error?: unknown }>;

async function overHttp(fastPath: boolean): Promise<Ask> {
  const server = makeServer(fastPath);
  const http = definition.transports.find(({ type }) => type === "http") as HttpDefinition;
  const { url, close } = await listen(server, [httpEndpoint(server, http)]);
  closeLater(close);
  return async (method, params) =>
    (await sendRaw(modernRequest(url, method, { ...params }))).message;
}

/** Sends the requests over a persistent connection, such as stdio. */
async function overConnection(): Promise<Ask> {
  const [own, theirs] = InMemoryTransport.createLinkedPair();
  serveConnection(makeServer(true), theirs, "stdio");
  await own.start();
  closeLater(() => own.close());
  let id = 0;
  return (method, params) =>
    new Promise((resolve) => {
      own.onmessage = (message) => {
        if (isJSONRPCErrorResponse(message) || "result" in message) resolve(message);
      };
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
      };
      void own.send({ jsonrpc: "2.0", id: ++id, method, params: { ...params, _meta } });
    });
}

const ways: Readonly<Record<string, () => Promise<Ask>>> = {
  "the fast path": () => overHttp(true),
  "the path through the SDK": () => overHttp(false),
  "a connection that lasts": overConnection,
};

for (const [way, connect] of Object.entries(ways)) {
  test(`${way}: a result that cannot be sent or is too long is answered with an error`, async () => {
    const ask = await connect();
    for (const [method, params, bad, good] of requests) {
      for (const [index, value] of bad.entries()) {
        returned = value;
        const answer = await ask(method, params);
        const { isError } = (answer.result ?? {}) as { readonly isError?: boolean };
        const title = `${method} ${JSON.stringify(params)} ${index}`;
        assert.ok(isError === true || answer.error !== undefined, title);
        // Of a tool's result, what fits follows on a notice: the call was carried out.
        const most = method === "tools/call" ? longest + 200 : 500;
        assert.ok(JSON.stringify(answer).length < most, title);
      }
      returned = good;
      const answer = await ask(method, params);
      const { isError } = (answer.result ?? {}) as { readonly isError?: boolean };
      assert.ok(answer.result !== undefined && isError !== true, JSON.stringify(answer));
    }
  });
}

test.run();
