import { test } from "uvu";
import * as assert from "uvu/assert";
import type { HandlerContext } from "../context/context.js";
import type { ToolEntry } from "../tools/definition.js";
import { createLog } from "../observe/log.js";
import { httpEndpoint } from "../http/endpoint.js";
import type { HttpDefinition } from "../http/definition.js";
import { listen } from "../http/listener.js";
import { keepAliveMs, momentMs } from "../http/slow-answers.js";
import type { RunningHttp } from "../http/transport.js";
import { createServer } from "../server/create-server.js";
import { hurryTimers } from "../samples/hurried-timers.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import { until } from "../samples/until.js";
import { modernRequest } from "../suite/clients/http.js";

/** What the SDK promises for a call, and the fast path has to keep: each is tried with both. */

type Context = HandlerContext<Record<string, unknown>, Record<string, unknown>>;

/** A server whose tool `wait` runs until the test releases it. */
class WaitingServer {
  readonly url: string;
  readonly contexts: Context[] = [];
  readonly #http: RunningHttp;
  readonly #ends: (() => void)[];

  private constructor(http: RunningHttp, contexts: Context[], ends: (() => void)[]) {
    this.#http = http;
    this.url = http.url;
    this.contexts = contexts;
    this.#ends = ends;
  }

  static async start(fastPath: boolean): Promise<WaitingServer> {
    const contexts: Context[] = [];
    const ends: (() => void)[] = [];
    const wait = async (input: { fails?: boolean }, ctx: Context): Promise<string> => {
      contexts.push(ctx);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (input.fails === true) throw new Error("secret");
      await ctx.progress(1, 2, "first");
      ctx.log.info("second");
      await ctx.progress(2, 2, "third");
      return "done";
    };
    const tools: ToolEntry[] = [
      tool("wait", erased(wait), { properties: { fails: { type: "boolean" } } }),
    ];
    const log = createLog({ write: () => undefined });
    const server = createServer({ ...sampleServer, tools }, { root: ".", log, fastPath });
    const definition = sampleServer.transports.find(({ type }) => type === "http");
    const http = await listen(server, [httpEndpoint(server, definition as HttpDefinition)]);
    return new WaitingServer(http, contexts, ends);
  }

  /** Waits until this many calls run. */
  running(calls = 1): Promise<void> {
    return until(() => this.#ends.length === calls);
  }

  /** Lets all running calls end. */
  release(): void {
    for (const end of this.#ends) end();
  }

  async close(): Promise<void> {
    this.release();
    await this.#http.close();
  }
}

const legacyHeaders = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** Sends a message. A server that stays silent fails the test. */
function post(url: string, message: object, hangUp?: AbortSignal): Promise<Response> {
  const patience = AbortSignal.timeout(20_000);
  const signal = hangUp === undefined ? patience : AbortSignal.any([patience, hangUp]);
  const body = JSON.stringify(message);
  return fetch(url, { method: "POST", headers: legacyHeaders, body, signal });
}

interface CallOptions {
  readonly id?: number;
  readonly input?: object;
  readonly token?: string;
}

const callOf = ({ id = 1, input = {}, token }: CallOptions = {}): object => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: {
    name: "wait",
    arguments: input,
    ...(token === undefined ? {} : { _meta: { progressToken: token } }),
  },
});

/** A text without the reference to the log, which is random. */
const withoutReference = (text: string): string =>
  text.replaceAll(/\(reference \w+\)/g, "(reference)");

/** The parts of an answer's head that clients and proxies act on. */
const headOf = ({ status, headers }: Response): unknown[] => [
  status,
  ...["content-type", "cache-control", "x-accel-buffering"].map((name) => headers.get(name)),
];

/** What is tried with a server, and what a client notices. Both servers must give the same. */
type Guarantee = (server: WaitingServer) => Promise<unknown>;

function guaranteed(title: string, guarantee: Guarantee, expected: unknown): void {
  for (const fastPath of [false, true]) {
    test(`${title}, ${fastPath ? "on the fast path" : "with the SDK"}`, async () => {
      const release = hurryTimers(momentMs, keepAliveMs);
      const server = await WaitingServer.start(fastPath);
      try {
        assert.equal(await guarantee(server), expected);
      } finally {
        release();
        await server.close();
      }
    });
  }
}

const streamHead = [200, "text/event-stream", "no-cache, no-transform", "no"];
const jsonHead = [200, "application/json", null, null];

guaranteed(
  "a call gets its headers while it runs",
  async (server) => {
    const answer = await post(server.url, callOf());
    const head = headOf(answer);
    await answer.body?.cancel();
    return head;
  },
  streamHead,
);

/** Reads an answer until it has this text. */
async function readUntil({ body }: Response, text: string): Promise<string> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let read = "";
  while (!read.includes(text)) {
    const { done, value } = await reader.read();
    if (done) break;
    read += Buffer.from(value).toString();
  }
  await reader.cancel();
  return read.slice(0, read.indexOf(text) + text.length);
}

guaranteed(
  "a silent call is kept alive by comments",
  async (server) => readUntil(await post(server.url, callOf()), ": keepalive\n\n"),
  ": keepalive\n\n",
);

/** The events of a stream, without comments. */
const eventsIn = (text: string): string[] =>
  withoutReference(text)
    .split("\n\n")
    .filter((block) => block !== "" && !block.startsWith(":"));

const event = (message: object): string => `event: message\ndata: ${JSON.stringify(message)}`;
const progress = (reached: number, message: string): string =>
  event({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: "p", progress: reached, total: 2, message },
  });

guaranteed(
  "progress and log messages come in their order, before the answer, without ids or a priming event",
  async (server) => {
    const answer = await post(server.url, callOf({ token: "p" }));
    await server.running();
    server.release();
    return eventsIn(await answer.text()).map((text) => text.replace(/"data":.*?}}$/, '"data":…}}'));
  },
  [
    progress(1, "first"),
    event({ method: "notifications/message", params: { level: "info", data: "second" } })
      .replace("data: {", 'data: {"jsonrpc":"2.0",')
      .replace(/"data":"second"}}$/, '"data":…}}'),
    progress(2, "third"),
    event({ result: { content: [{ type: "text", text: "done" }] }, jsonrpc: "2.0", id: 1 }),
  ],
);

guaranteed(
  "a handler that fails after the headers ends the stream with its answer",
  async (server) => {
    const answer = await post(server.url, callOf({ input: { fails: true } }));
    await server.running();
    server.release();
    return eventsIn(await answer.text()).map((text) => /"isError":true/.test(text));
  },
  [true],
);

guaranteed(
  "a client that hangs up aborts the call",
  async (server) => {
    const hangUp = new AbortController();
    const answer = await post(server.url, callOf(), hangUp.signal);
    await server.running();
    const [ctx] = server.contexts;
    const before = ctx?.signal.aborted;
    hangUp.abort();
    await answer.text().catch(() => undefined);
    await until(() => ctx?.signal.aborted === true);
    return [before, ctx?.signal.aborted];
  },
  [false, true],
);

guaranteed(
  "a notification of cancellation on another connection is taken, and reaches no call",
  async (server) => {
    const answer = await post(server.url, callOf({ id: 7 }));
    await server.running();
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } };
    const { status } = await post(server.url, cancel);
    server.release();
    return [status, eventsIn(await answer.text()).some((text) => text.includes('"done"'))];
  },
  [202, true],
);

guaranteed(
  "calls with the same id on two connections get an answer each",
  async (server) => {
    const answers = await Promise.all([
      post(server.url, callOf({ id: 3 })),
      post(server.url, callOf({ id: 3 })),
    ]);
    await server.running(2);
    server.release();
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    return texts.map((text) => eventsIn(text).filter((one) => one.includes('"id":3')).length);
  },
  [1, 1],
);

guaranteed(
  "a call of 2026-07-28 gets its headers while it runs, and is kept alive",
  async (server) => {
    const answer = await fetch(modernRequest(server.url, "tools/call", { name: "wait" }));
    const type = answer.headers.get("content-type");
    const sign = type === "application/json" ? "\n" : ": keepalive\n\n";
    return (await readUntil(answer, sign)) === sign;
  },
  true,
);

guaranteed(
  "a call of 2026-07-28 whose headers were sent is answered, also where its handler fails",
  async (server) => {
    const call = (fails: boolean): Promise<Response> =>
      fetch(modernRequest(server.url, "tools/call", { name: "wait", arguments: { fails } }));
    const answers = await Promise.all([call(false), call(true)]);
    await server.running(2);
    server.release();
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    return texts.map((text) => {
      const { result } = JSON.parse(/\{.*/.exec(text)?.[0] ?? "") as { result: object };
      return "isError" in result;
    });
  },
  [false, true],
);

guaranteed(
  "a client of 2026-07-28 that accepts only JSON gets white space, and then its answer",
  async (server) => {
    const request = modernRequest(server.url, "tools/call", { name: "wait" });
    request.headers.set("accept", "application/json");
    const answer = await fetch(request);
    await server.running();
    server.release();
    const head = headOf(answer).slice(0, 2);
    const { result } = (await answer.json()) as { result: { content: unknown } };
    return [...head, result.content];
  },
  [...jsonHead.slice(0, 2), [{ type: "text", text: "done" }]],
);

test.run();
