import { PassThrough } from "node:stream";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { HttpDefinition } from "../http/definition.js";
import { httpEndpoint } from "../http/endpoint.js";
import { listen } from "../http/listener.js";
import { createLog } from "../observe/log.js";
import { askingParts, form } from "../samples/asking.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import { until } from "../samples/until.js";
import { createServer, type RunningServer } from "../server/create-server.js";
import { serveStdioClient } from "../stdio/stdio.js";
import { closeAll, closeLater } from "../suite/clients/harness.js";
import { convertMessage, exactNumbers } from "../tools/exact-numbers.js";

/** Tests of numbers in users' answers that JavaScript would round. */

const asks = {
  elicitations: {
    order: form(["How many?"], { count: { type: "integer" }, weight: { type: "number" } }),
  },
};

interface OrderContext {
  readonly elicit: { order(): Promise<unknown> };
}

const order = async (_input: unknown, { elicit }: OrderContext): Promise<string> =>
  `ordered ${JSON.stringify(await elicit.order())}`;
const handler = erased(order as never);

function makeServer(): RunningServer {
  const definition = {
    ...sampleServer,
    ...askingParts,
    convertMessage,
    exactNumbers,
    tools: [tool("order", handler, { asks })],
  };
  return createServer(definition, {
    root: process.cwd(),
    log: createLog({ write: () => undefined }),
  });
}

test.after(() => closeAll());

const meta =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}';

type Send = (body: string) => Promise<string>;

async function overHttp(): Promise<Send> {
  const server = makeServer();
  const http = server.definition.transports.find(({ type }) => type === "http") as HttpDefinition;
  const { url, close } = await listen(server, [httpEndpoint(server, http)]);
  closeLater(close);
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "order",
  };
  return async (body) => {
    const text = await (await fetch(url, { method: "POST", headers, body })).text();
    return text.replace(/^[^{]*data: /s, "");
  };
}

/** Waits for the next message of the server that is not a notification. */
function overStdio(): Send {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const stdio = serveStdioClient(makeServer(), output, () => undefined, input);
  closeLater(async () => {
    input.end();
    await stdio.close();
  });
  let lines: string[] = [];
  output.setEncoding("utf8").on("data", (text: string) => lines.push(...text.trim().split("\n")));
  return async (body) => {
    lines = [];
    input.write(`${body}\n`);
    const answer = (): string | undefined => lines.find((line) => line.includes('"id"'));
    await until(() => answer() !== undefined);
    return answer() ?? "";
  };
}

/** Answers of users, with the resulting answer to the call. */
const ANSWERS: readonly (readonly [content: string, expected: RegExp])[] = [
  ['{"count":9007199254740993,"weight":1}', /"resultType":"input_required"/],
  ['{"count":1e400,"weight":1}', /"resultType":"input_required"/],
  ['{"count":3,"weight":1e400}', /"resultType":"input_required"/],
  ['{"count":3,"weight":9007199254740993}', /ordered .*count\\":3,\\"weight\\":9007199254740992/],
  ['{"count":9007199254740992,"weight":0.5}', /ordered .*count\\":9007199254740992/],
];

for (const [name, open] of Object.entries({ HTTP: overHttp, stdio: async () => overStdio() })) {
  test(`${name}: numbers of an answer reach the handler as the user wrote them, or it is asked again`, async () => {
    const send = await open();
    const call = (more: string): Promise<string> =>
      send(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"order","arguments":{},${meta}${more}}}`,
      );
    for (const [content, expected] of ANSWERS) {
      const { inputRequests, requestState } = (
        JSON.parse(await call("")) as {
          result: { inputRequests: Record<string, unknown>; requestState: string };
        }
      ).result;
      const [key = ""] = Object.keys(inputRequests);
      const response = `"inputResponses":{"${key}":{"action":"accept","content":${content}}}`;
      const answer = await call(`,"requestState":${JSON.stringify(requestState)},${response}`);
      assert.match(answer, expected, `${content}: ${answer}`);
    }
  });
}

test("a rounded number in an older client's answer over stdio never reaches the handler", async () => {
  const send = overStdio();
  const hello = {
    protocolVersion: "2025-11-25",
    capabilities: { elicitation: {} },
    clientInfo: { name: "exact", version: "1" },
  };
  await send(JSON.stringify({ jsonrpc: "2.0", id: 0, method: "initialize", params: hello }));
  const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"order"}}';
  for (const [content, isTaken] of [
    ['{"count":9007199254740993,"weight":1}', false],
    ['{"count":3,"weight":9007199254740993}', true],
  ] as const) {
    const { id, method } = JSON.parse(await send(call)) as { id: unknown; method: string };
    assert.is(method, "elicitation/create");
    const answer = await send(
      `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"action":"accept","content":${content}}}`,
    );
    assert.is(answer.includes("ordered"), isTaken, answer);
    assert.not.match(answer, /rounded /);
  }
});

test.run();
