import { PassThrough } from "node:stream";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { isSuspend } from "../asking/run.js";
import { createAsking } from "../asking/asking.js";
import { image } from "../engine/content.js";
import { createServer } from "../server/create-server.js";
import type { ServerDefinition } from "../engine/definition.js";
import type { SetLimits } from "../engine/limits.js";
import { createLog } from "../observe/log.js";
import { serveStdioClient } from "./stdio.js";
import { sampleAsks, type AskingContext } from "../samples/asking.js";
import { erased, tool } from "../samples/server.js";

const asking = {
  handler: erased((_input, ctx) =>
    (ctx as typeof ctx & AskingContext)
      .sample({ messages: [], maxTokens: 5 })
      .catch((error: unknown) => {
        if (isSuspend(error)) throw error;
        return String(error);
      }),
  ),
  asks: sampleAsks,
  mock: { kind: "text", text: "mocked" },
} as const;

const definition: ServerDefinition = {
  createHandlerRunner: createAsking,
  info: { name: "stdio", version: "1.0.0" },
  protocol: { legacy: "serve" },
  transports: [{ type: "stdio" }],
  env: [],
  tools: [
    tool(
      "plain",
      erased(() => "plain"),
    ),
    tool(
      "picture",
      erased(async () => image("AQID", "image/png")),
    ),
    tool(
      "talkative",
      erased((_input, ctx) => {
        ctx.log.info("said");
        return "done";
      }),
    ),
    tool("asking", asking.handler, { asks: asking.asks }),
  ],
  resources: [],
  resourceTemplates: [],
  prompts: [],
};

interface SentMessage {
  readonly id?: number;
  readonly method?: string;
  readonly error?: object;
}

/** A client with its own server. */
function connect(fastPath: boolean, limits: SetLimits = {}) {
  const log = createLog({ write: () => undefined });
  const limited = { ...definition, limits };
  const server = createServer(limited, { root: process.cwd(), log, fastPath });
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = "";
  output.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise<void>((resolve) => {
    const served = serveStdioClient(server, output, () => void served.close().then(resolve), input);
  });
  const sent = (): SentMessage[] =>
    text
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as SentMessage);
  return {
    sent,
    write: (bytes: string) => input.write(bytes),
    send: (...messages: object[]) =>
      input.write(
        messages.map((one) => `${JSON.stringify({ jsonrpc: "2.0", ...one })}\n`).join(""),
      ),
    /** Resolves when a request is answered, or a request of the server has arrived. */
    answered: async (expected: number | string) => {
      while (!sent().some(({ id, method }) => (method ?? id) === expected)) {
        await new Promise((resolve) => setImmediate(resolve));
      }
    },
    /** Closes the client's end, and resolves when the server has ended. */
    end: async () => {
      input.end();
      await ended;
    },
  };
}

const opening = [
  {
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: { sampling: {} },
      clientInfo: { name: "probe", version: "1" },
    },
  },
  { method: "notifications/initialized" },
];

for (const fastPath of [true, false]) {
  const way = fastPath ? "without the SDK" : "with the SDK";

  test(`messages before the end of the input are answered, ${way}`, async () => {
    const client = connect(fastPath);
    client.send(
      ...opening,
      { id: 1, method: "tools/call", params: { name: "plain" } },
      { id: 2, method: "tools/call", params: { name: "picture" } },
      { id: 3, method: "tools/call", params: { name: "none" } },
    );
    await client.end();
    const ids = client.sent().map(({ id }) => id);
    assert.equal(ids.sort(), [0, 1, 2, 3]);
  });

  test(`a byte-order mark is skipped and parameters of null count as absent, ${way}`, async () => {
    const client = connect(fastPath);
    client.write("\ufeff");
    client.send(
      ...opening,
      { id: 1, method: "tools/call", params: { name: "plain", arguments: null } },
      { id: 2, method: "tools/list", params: null },
      { id: 3, method: "tools/list", params: { cursor: "" } },
    );
    await client.end();
    const failed = client.sent().filter(({ error }) => error !== undefined);
    assert.equal([client.sent().length, failed], [4, []]);
  });

  for (const more of [{ _meta: { progressToken: 1 } }, { other: 1 }]) {
    const key = Object.keys(more).join();
    test(`a level that is asked for with ${key} holds for every call, ${way}`, async () => {
      const client = connect(fastPath);
      client.send(...opening, {
        id: 1,
        method: "logging/setLevel",
        params: { level: "error", ...more },
      });
      await client.answered(1);
      client.send({ id: 2, method: "tools/call", params: { name: "talkative" } });
      await client.answered(2);
      await client.end();
      assert.equal(
        client.sent().filter(({ method, error }) => method ?? error),
        [],
      );
    });
  }
}

/** Makes a call of this length in bytes, with its id at the beginning or the end. */
function callOf(length: number, id: number, isFirst = true): string {
  const call = (text: string): string => {
    const rest = { method: "tools/call", params: { name: "plain", arguments: { text } } };
    const jsonrpc = "2.0";
    return JSON.stringify(isFirst ? { jsonrpc, id, ...rest } : { ...rest, jsonrpc, id });
  };
  return call("x".repeat(length - call("").length));
}

for (const fastPath of [true, false]) {
  const way = fastPath ? "without the SDK" : "with the SDK";

  for (const [longest, limits] of [
    [2_000, { bodyBytes: 2_000 }],
    [4_194_304, {}],
    [6_000_000, { bodyBytes: 6_000_000 }],
  ] as const) {
    test(`a message may have ${longest} bytes, and one that has more is refused alone, ${way}`, async () => {
      const client = connect(fastPath, limits);
      client.send(...opening);
      const lengths = [longest - 1, longest, longest + 1, longest + 1, 3 * longest, 200];
      const calls = lengths.map((length, index) => callOf(length, index + 1, index !== 3));
      client.write(calls.map((call) => `${call}\n`).join(""));
      await client.end();
      const answers = client.sent().filter(({ id }) => id !== 0);
      const refused = answers.filter(({ error }) => error).sort((one, two) => one.id! - two.id!);
      const message = `Message too large (limits.bodyBytes: ${longest})`;
      assert.equal(
        refused,
        [3, 4, 5].map((id) => ({ jsonrpc: "2.0", id, error: { code: -32000, message } })),
      );
      const answered = answers.filter(({ error }) => !error).map(({ id }) => id);
      assert.equal(answered.sort(), [1, 2, 6]);
    });
  }

  test(`a message that is too long and no request gets no answer with another request's id, ${way}`, async () => {
    const client = connect(fastPath, { bodyBytes: 500 });
    client.send(...opening);
    const text = "x".repeat(1_000);
    client.send(
      { method: "notifications/progress", params: { progressToken: 1, progress: 1, text } },
      { id: 1, result: { text } },
    );
    client.write(`${text}\n`);
    client.send({ id: 2, method: "ping" });
    await client.end();
    const answers = client.sent().filter(({ id }) => id !== 0);
    const message = "Message too large (limits.bodyBytes: 500)";
    assert.equal(
      answers.filter(({ id }) => id === undefined),
      [{ jsonrpc: "2.0", error: { code: -32000, message } }],
    );
    assert.equal(
      answers.flatMap(({ id }) => id ?? []),
      [2],
    );
  });
}

test("a handler gets an error if the answer to its question is too long", async () => {
  const client = connect(true, { bodyBytes: 500 });
  client.send(...opening, { id: 1, method: "tools/call", params: { name: "asking" } });
  await client.answered("sampling/createMessage");
  const { id } = client.sent().find(({ method }) => method === "sampling/createMessage") ?? {};
  const content = { type: "text", text: "x".repeat(1_000) };
  client.send({ id, result: { role: "assistant", model: "m", content } });
  await client.answered(1);
  await client.end();
  const answer = client.sent().find((one) => one.id === 1 && one.method === undefined);
  assert.match(JSON.stringify(answer), /too large/);
});

test.run();
