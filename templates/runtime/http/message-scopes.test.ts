import { McpServer, type ElicitResult } from "@modelcontextprotocol/server";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Authentication } from "../authentication/authentication.js";
import { createFilteredList } from "../authentication/filtered-lists.js";
import { LiveState } from "../changes/live-state.js";
import type { ServerDefinition } from "../engine/definition.js";
import { createLog } from "../observe/log.js";
import { changingParts } from "../samples/parts.js";
import { erased, sampleServer, tool } from "../samples/server.js";
import { until } from "../samples/until.js";
import { createServer, type RunningServer } from "../server/create-server.js";
import { sseEndpoint } from "../sse/endpoint.js";
import type { HttpDefinition, SseDefinition } from "./definition.js";
import { listen } from "./listener.js";
import { httpEndpointWithSessions } from "./sessions.js";
import type { RunningHttp } from "./transport.js";

/** Two tokens of one principal, of which one has more scopes, in one session. */

type Token = "wide" | "narrow";
const callers: Readonly<Record<string, Authentication>> = {
  wide: { principal: "ada", scopes: ["admin", "read"] },
  narrow: { principal: "ada", scopes: ["read"] },
};

/** Ends the call of `slow` that runs; undefined if none runs. */
let finish: (() => void) | undefined;

async function finishSlowCall(): Promise<void> {
  await until(() => finish);
  finish?.();
}

const resource = (uri: string, scopes: readonly string[]) => ({
  definition: { uri, name: uri },
  ...{ text: uri, scopes, subscribe: true },
});
const definition: ServerDefinition = {
  ...sampleServer,
  ...changingParts,
  createPagedList: createFilteredList,
  tools: [
    {
      ...tool(
        "open",
        erased(() => "open"),
      ),
      scopes: ["read"],
    },
    {
      ...tool(
        "secret",
        erased(() => "TOP SECRET"),
      ),
      scopes: ["admin"],
    },
    {
      ...tool(
        "slow",
        erased(
          (_input, { signal }) =>
            new Promise((resolve) => {
              const end = (text: string): void => {
                finish = undefined;
                resolve(text);
              };
              finish = () => end("TOP SECRET");
              signal.addEventListener("abort", () => end("aborted"));
            }),
        ),
      ),
      scopes: ["admin"],
    },
  ],
  resources: [resource("a://secret", ["admin"]), resource("a://open", ["read"])],
  resourceTemplates: [],
  prompts: [],
};
const find = <Type extends "http" | "sse">(type: Type) =>
  sampleServer.transports.find((transport) => transport.type === type);
const http = { ...find("http"), sessions: "memory", resumable: true } as HttpDefinition;
const running: RunningHttp[] = [];
/** Ends all requests: the SDK never ends the answer to a cancelled one. */
const leavingAll = new AbortController();
test.after(async () => {
  leavingAll.abort();
  await Promise.all(running.map((one) => one.close()));
});

async function serve(change: Partial<RunningServer> = {}) {
  const log = createLog({ write: () => undefined });
  const controls = new LiveState(definition);
  const authenticate = ({ token = "" }) => callers[token];
  const options = { root: process.cwd(), log, controls, authentication: { authenticate } };
  const server = { ...createServer(definition, options), ...change };
  const listening = await listen(server, [
    httpEndpointWithSessions(server, http),
    sseEndpoint(server, find("sse") as SseDefinition),
  ]);
  running.push(listening);
  return { url: listening.urls.get("http") as string, listening, controls };
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly uri?: string };
  readonly result?: { readonly tools?: { name: string }[] };
}

/** What arrives as an answer or on a stream, while it arrives. */
class Reader {
  readonly status: number;
  readonly headers: Headers;
  text = "";
  isOver = false;

  constructor({ status, headers, body }: Response) {
    this.status = status;
    this.headers = headers;
    void this.#read(body as ReadableStream<Uint8Array>);
  }

  get messages(): Message[] {
    return [...this.text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json ?? ""));
  }

  get eventIds(): string[] {
    return [...this.text.matchAll(/^id: (.*)$/gm)].map(([, id]) => id ?? "");
  }

  get uris(): unknown[] {
    return this.messages.map(({ params }) => params?.uri);
  }

  async #read(body: ReadableStream<Uint8Array> | null): Promise<void> {
    try {
      for await (const chunk of body ?? []) this.text += Buffer.from(chunk).toString();
    } catch {
      // The test has ended the stream.
    }
    this.isOver = true;
  }
}

/** The requests of one session. */
class TestSession {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  private constructor(url: string, id: string) {
    this.#url = url;
    this.#headers = { "mcp-session-id": id, "mcp-protocol-version": "2025-11-25" };
  }

  static async open(url: string, token: Token = "wide"): Promise<TestSession> {
    const clientInfo = { name: "test", version: "1" };
    const capabilities = { elicitation: {} };
    const params = { protocolVersion: "2025-11-25", capabilities, clientInfo };
    const { headers } = await new TestSession(url, "").post(token, "initialize", params);
    const session = new TestSession(url, headers.get("mcp-session-id") ?? "");
    await session.send(token, { method: "notifications/initialized" });
    return session;
  }

  /** Sends a message. Resolves when the answer begins. */
  async send(token: Token, message: object): Promise<Reader> {
    const { "mcp-session-id": id, ...others } = this.#headers;
    const response = await fetch(this.#url, {
      method: "POST",
      signal: leavingAll.signal,
      headers: {
        ...(id === "" ? others : this.#headers),
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
    return new Reader(response);
  }

  /** Sends a request, and reads the answer to its end. */
  async post(token: Token, method: string, params: object = {}, id = 1): Promise<Reader> {
    const reader = await this.send(token, { id, method, params });
    await until(() => reader.isOver);
    return reader;
  }

  /** Opens or resumes a stream. */
  async get(token: Token, lastEvent?: string): Promise<{ stream: Reader; leave: () => void }> {
    const leaving = new AbortController();
    const response = await fetch(this.#url, {
      headers: {
        ...this.#headers,
        ...{ authorization: `Bearer ${token}`, accept: "text/event-stream" },
        ...(lastEvent !== undefined && { "last-event-id": lastEvent }),
      },
      signal: leaving.signal,
    });
    return { stream: new Reader(response), leave: () => leaving.abort() };
  }
}

const namesIn = ({ messages }: Reader): unknown =>
  messages.at(-1)?.result?.tools?.map(({ name }) => name);

test("each request in a session has the scopes of its own token, and ends no other's session", async () => {
  const { url } = await serve();
  for (const opener of ["wide", "narrow"] as const) {
    const session = await TestSession.open(url, opener);
    for (let round = 0; round < 2; round++) {
      assert.match(
        (await session.post("wide", "tools/call", { name: "secret" })).text,
        "TOP SECRET",
      );
      assert.equal(namesIn(await session.post("wide", "tools/list")), ["open", "secret", "slow"]);
      const refused = await session.post("narrow", "tools/call", { name: "secret" });
      assert.is(refused.status, 403);
      assert.match(refused.headers.get("www-authenticate") ?? "", 'scope="admin"');
      assert.equal(namesIn(await session.post("narrow", "tools/list")), ["open"]);
      assert.match((await session.post("narrow", "tools/call", { name: "open" })).text, '"open"');
    }
    const subscription = { uri: "a://secret" };
    assert.is((await session.post("narrow", "resources/subscribe", subscription)).status, 403);
  }
});

test("an answer is replayed only to a token with all scopes of the one that asked", async () => {
  const session = await TestSession.open((await serve()).url);
  const wide = await session.post("wide", "tools/call", { name: "secret" });
  const narrow = await session.post("narrow", "tools/call", { name: "open" });
  const [ofWide = "", ofNarrow = ""] = [wide, narrow].map(({ eventIds }) => eventIds[0]);
  for (const id of wide.eventIds) {
    const { stream } = await session.get("narrow", id);
    assert.is(stream.status, 403);
    await until(() => stream.isOver);
    assert.not.match(stream.text, "TOP SECRET");
  }
  const { stream } = await session.get("wide", ofWide);
  await until(() => stream.isOver);
  assert.match(stream.text, "TOP SECRET");
  const own = await session.get("narrow", ofNarrow);
  await until(() => own.stream.isOver);
  assert.match(own.stream.text, '"open"');
  // The stream of a call that runs, of which only the first event is known.
  const call = await session.send("wide", {
    id: 2,
    method: "tools/call",
    params: { name: "slow" },
  });
  await until(() => call.eventIds.length === 1);
  assert.is((await session.get("narrow", call.eventIds[0])).stream.status, 403);
  await finishSlowCall();
  await until(() => call.isOver);
  assert.match(call.text, "TOP SECRET");
});

test("a notification reaches only a token that may read its resource, when it is sent and when it is replayed", async () => {
  const { url, controls } = await serve();
  const session = await TestSession.open(url);
  for (const uri of ["a://secret", "a://open"]) {
    assert.is((await session.post("wide", "resources/subscribe", { uri })).status, 200);
  }
  const wide = await session.get("wide");
  const changeBoth = (): void => {
    controls.notify.resourceUpdated("a://secret");
    controls.notify.resourceUpdated("a://open");
  };
  controls.notify.resourceUpdated("a://open");
  await until(() => wide.stream.messages.length === 1);
  changeBoth();
  await until(() => wide.stream.messages.length === 3);
  wide.leave();
  let narrow = await session.get("narrow");
  while (narrow.stream.status === 409) narrow = await session.get("narrow");
  changeBoth();
  await until(() => narrow.stream.messages.length === 1);
  assert.equal(narrow.stream.uris, ["a://open"]);
  narrow.leave();
  const [first = ""] = wide.stream.eventIds;
  const resumedByNarrow = await session.get("narrow", first);
  await until(() => resumedByNarrow.stream.messages.length === 2);
  changeBoth();
  await until(() => resumedByNarrow.stream.messages.length === 3);
  assert.equal(resumedByNarrow.stream.uris, ["a://open", "a://open", "a://open"]);
  const resumed = await session.get("wide", first);
  await until(() => resumed.stream.messages.length === 6);
  const both = ["a://secret", "a://open"];
  assert.equal(resumed.stream.uris, [...both, ...both, ...both]);
  resumed.leave();
});

test("a narrower token neither gets the answer to a call of a wider one nor cancels the call", async () => {
  const session = await TestSession.open((await serve()).url);
  const call = await session.send("wide", {
    id: 7,
    method: "tools/call",
    params: { name: "slow" },
  });
  await until(() => call.eventIds.length === 1);
  const thief = await session.post("narrow", "ping", {}, 7);
  assert.is(thief.status, 400);
  assert.match(thief.text, "a request with this id is not answered yet");
  const cancellation = { method: "notifications/cancelled", params: { requestId: 7 } };
  assert.is((await session.send("narrow", cancellation)).status, 403);
  await finishSlowCall();
  await until(() => call.isOver);
  assert.match(call.text, "TOP SECRET");
  assert.is((await session.post("narrow", "ping", {}, 7)).status, 200, "the id is free again");
  assert.is((await session.send("narrow", cancellation)).status, 202);
  await session.send("wide", { id: 8, method: "tools/call", params: { name: "slow" } });
  await until(() => finish);
  const own8 = { method: "notifications/cancelled", params: { requestId: 8 } };
  assert.is((await session.send("wide", own8)).status, 202);
  await until(() => finish === undefined);
  assert.is((await session.post("wide", "ping", {}, 8)).status, 200, "it was cancelled");
});

test("a question of a call is answered only by a token with the scopes of the call", async () => {
  const clientInfo = { name: "asking", version: "1" };
  const { url } = await serve({
    factory: async () => {
      const mcp = new McpServer(clientInfo, { capabilities: { tools: {} } });
      mcp.registerTool("ask", {}, async (ctx) => {
        const requestedSchema = { type: "object" as const, properties: {} };
        const params = { message: "Sure?", requestedSchema };
        const answer = await ctx.mcpReq.send({ method: "elicitation/create", params });
        return { content: [{ type: "text", text: (answer as ElicitResult).action }] };
      });
      return mcp;
    },
  });
  const session = await TestSession.open(url);
  const call = await session.send("wide", { id: 1, method: "tools/call", params: { name: "ask" } });
  await until(() => call.messages.some(({ method }) => method === "elicitation/create"));
  const { id } = call.messages.find(({ method }) => method === "elicitation/create") ?? {};
  const result = { action: "accept", content: {} };
  for (const disguise of [id, String(id), `0x${Number(id).toString(16)}`]) {
    assert.is((await session.send("narrow", { id: disguise, result })).status, 403);
    const error = { code: -32000, message: "no" };
    assert.is((await session.send("narrow", { id: disguise, error })).status, 403);
  }
  assert.is((await session.send("wide", { id, result })).status, 202);
  await until(() => call.isOver);
  assert.match(call.text, '"accept"');
});

test("on a stream of server-sent events nothing arrives that the token that opened it may not see", async () => {
  const { listening } = await serve();
  const streamUrl = listening.urls.get("sse") as string;
  const open = async (token: Token) => {
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const stream = new Reader(await fetch(streamUrl, { headers, signal: leaving.signal }));
    await until(() => stream.text.includes("sessionId="));
    const path = /^data: (.*)$/m.exec(stream.text)?.[1] ?? "";
    const post = async (sender: Token, id: number, method: string, params = {}) => {
      const response = await fetch(new URL(path, streamUrl), {
        method: "POST",
        headers: { authorization: `Bearer ${sender}`, "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
      });
      return response.status;
    };
    const capabilities = {};
    const clientInfo = { name: "test", version: "1" };
    const handshake = { protocolVersion: "2025-11-25", capabilities, clientInfo };
    assert.is(await post(token, 1, "initialize", handshake), 202);
    const answerTo = async (id: number): Promise<Message | undefined> => {
      const answer = (): Message | undefined => stream.messages.find((one) => one.id === id);
      await until(answer);
      return answer();
    };
    return { stream, post, answerTo, leave: () => leaving.abort() };
  };
  const names = (message: Message | undefined): unknown =>
    message?.result?.tools?.map(({ name }) => name);
  const [wide, narrow] = [await open("wide"), await open("narrow")];
  assert.is(await wide.post("narrow", 2, "tools/list"), 202);
  assert.equal(names(await wide.answerTo(2)), ["open"]);
  assert.is(await wide.post("narrow", 3, "tools/call", { name: "secret" }), 403);
  assert.is(await wide.post("wide", 4, "tools/call", { name: "slow" }), 202);
  assert.is(await wide.post("narrow", 4, "ping"), 400, "the id is not free");
  await finishSlowCall();
  assert.match(JSON.stringify(await wide.answerTo(4)), "TOP SECRET");
  assert.is(await narrow.post("wide", 2, "tools/call", { name: "secret" }), 403);
  assert.is(await narrow.post("wide", 3, "tools/list"), 202);
  assert.equal(names(await narrow.answerTo(3)), ["open"]);
  assert.not.match(narrow.stream.text, "TOP SECRET");
  for (const { leave } of [wide, narrow]) leave();
});

test.run();
