import { connectHttp, modernRequest, sendRaw, type RawAnswer } from "../suite/clients/http.js";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { McpServer, type ElicitResult } from "@modelcontextprotocol/server";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServer, type RunningServer } from "../server/create-server.js";
import type { HttpDefinition } from "./definition.js";
import { HttpSessions, httpEndpointWithSessions } from "./sessions.js";
import { listen } from "./listener.js";
import { createLog } from "../observe/log.js";
import type { SetLimits } from "../engine/limits.js";
import { closeAll } from "../suite/clients/harness.js";
import { holdTimers } from "../samples/held-timers.js";
import { sampleServer } from "../samples/server.js";
import { until } from "../samples/until.js";
import type { RunningHttp } from "./transport.js";

const sample = sampleServer.transports.find(({ type }) => type === "http") as HttpDefinition;
const definition: HttpDefinition = { ...sample, sessions: "memory" };
const running: RunningHttp[] = [];

test.after(async () => {
  await closeAll();
  await Promise.all(running.map((one) => one.close()));
});

const lines: string[] = [];
function makeServer(limits: SetLimits = {}): RunningServer {
  const log = createLog({ write: (line) => void lines.push(line) });
  return createServer({ ...sampleServer, limits }, { root: process.cwd(), log });
}

async function serve(server: RunningServer, resumable = false): Promise<string> {
  const http = await listen(server, [
    httpEndpointWithSessions(server, { ...definition, resumable }),
  ]);
  running.push(http);
  return http.url;
}

const clientInfo = { name: "test", version: "1.0.0" };
const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };

/** Makes a request of the older eras, in a session or without one. */
function legacyRequest(
  url: string,
  method: string,
  session?: string,
  params: object = method === "initialize" ? initialize : {},
): Request {
  return new Request(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(session === undefined ? {} : { "mcp-session-id": session }),
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

async function openSession(url: string): Promise<string> {
  const { headers } = await sendRaw(legacyRequest(url, "initialize"));
  return headers.get("mcp-session-id") as string;
}

const ping = (url: string, session: string): Promise<RawAnswer> =>
  sendRaw(legacyRequest(url, "ping", session));

function remove(url: string, session: string): Promise<RawAnswer> {
  return sendRaw(new Request(url, { method: "DELETE", headers: { "mcp-session-id": session } }));
}

test("a session lives from initialize to DELETE", async () => {
  const url = await serve(makeServer());
  const opened = await sendRaw(legacyRequest(url, "initialize"));
  const session = opened.headers.get("mcp-session-id") as string;
  assert.match(session, /^[0-9a-f]{32}$/);
  assert.is(opened.message.result?.["protocolVersion"], "2025-11-25");
  assert.equal((await ping(url, session)).message.result, {});
  assert.is((await sendRaw(legacyRequest(url, "initialize", session))).status, 400);
  assert.is((await remove(url, session)).status, 200);
  for (const answer of [await ping(url, session), await remove(url, session)]) {
    assert.is(answer.status, 404);
    assert.is(answer.message.error?.code, -32001);
  }
});

test("a request of the older eras needs a session that exists", async () => {
  const url = await serve(makeServer());
  assert.is((await sendRaw(legacyRequest(url, "tools/list"))).status, 400);
  assert.is((await ping(url, "0".repeat(32))).status, 404);
  const { message } = await sendRaw(legacyRequest(url, "initialize", undefined, {}));
  assert.equal(message.error, {
    code: -32602,
    message:
      "Invalid params: initialize needs protocolVersion, capabilities and clientInfo with name and version",
  });
  const stream = (headers: Record<string, string>) => sendRaw(new Request(url, { headers }));
  assert.is((await stream({ accept: "text/event-stream" })).status, 400);
  assert.is((await sendRaw(new Request(url, { method: "DELETE" }))).status, 400);
  const put = await sendRaw(new Request(url, { method: "PUT" }));
  assert.equal([put.status, put.headers.get("allow")], [405, "GET, POST, DELETE"]);
});

test("each older revision is answered with itself, an unknown one with the newest of them", async () => {
  const url = await serve(makeServer());
  for (const [asked, spoken] of [
    ...["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"].map((one) => [one, one]),
    ["1999-01-01", "2025-11-25"],
  ] as [string, string][]) {
    const handshake = { ...initialize, protocolVersion: asked };
    const opened = await sendRaw(legacyRequest(url, "initialize", undefined, handshake));
    assert.is(opened.message.result?.["protocolVersion"], spoken);
    const session = opened.headers.get("mcp-session-id") ?? "";
    const call = legacyRequest(url, "tools/call", session, {
      name: "list_numbers",
      arguments: { count: 2 },
    });
    call.headers.set("mcp-protocol-version", spoken);
    const { message } = await sendRaw(call);
    assert.equal(message.result?.["structuredContent"], { result: [1, 1] }, spoken);
  }
});

test("the newest protocol has no sessions", async () => {
  const url = await serve(makeServer());
  const session = await openSession(url);
  const headers = { "mcp-session-id": "no such session" };
  const answer = await sendRaw(modernRequest(url, "tools/list", {}, headers));
  assert.equal([answer.status, answer.headers.get("mcp-session-id")], [200, null]);
  for (const method of ["GET", "DELETE"]) {
    const version = { "mcp-protocol-version": "2026-07-28", "mcp-session-id": session };
    const { status } = await sendRaw(new Request(url, { method, headers: version }));
    assert.is(status, 405, method);
  }
  assert.is((await ping(url, session)).status, 200);
});

for (const era of ["modern", "legacy"] as const) {
  test(`${era}: the official client is served`, async () => {
    const client = await connectHttp(await serve(makeServer()), era);
    const answer = await client.callTool({ name: "greet", arguments: { who: "Ada" } });
    assert.equal(answer.content, [{ type: "text", text: "Hello, Ada!" }]);
    const reports: number[] = [];
    const onprogress = ({ progress }: { progress: number }): void => void reports.push(progress);
    await client.callTool({ name: "report" }, { onprogress });
    assert.equal(reports, [0, 1]);
  });
}

/** Makes a server whose only tool asks the user, and then notifies all clients that the tools have changed. */
function askingServer(): RunningServer {
  const factory = async (): Promise<McpServer> => {
    const mcp = new McpServer(clientInfo, { capabilities: { tools: { listChanged: true } } });
    mcp.registerTool("ask", {}, async (ctx) => {
      const params = {
        message: "Sure?",
        requestedSchema: { type: "object" as const, properties: {} },
      };
      const answer = await ctx.mcpReq.send({ method: "elicitation/create", params });
      mcp.sendToolListChanged();
      return { content: [{ type: "text", text: (answer as ElicitResult).action }] };
    });
    return mcp;
  };
  return { ...makeServer(), factory };
}

test("in a session, a server asks the client and notifies it of changes", async () => {
  const url = new URL(await serve(askingServer()));
  const client = new Client(clientInfo, { capabilities: { elicitation: {} } });
  client.setRequestHandler("elicitation/create", () => ({ action: "accept", content: {} }));
  const changed = new Promise<string>((resolve) => {
    client.setNotificationHandler("notifications/tools/list_changed", () => resolve("changed"));
  });
  // Notifications outside of requests need the stream that the client opens after the handshake.
  let isStreaming = false;
  const observed: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    isStreaming ||= init?.method === "GET" && response.ok;
    return response;
  };
  await client.connect(new StreamableHTTPClientTransport(url, { fetch: observed }));
  await until(() => isStreaming);
  const answer = await client.callTool({ name: "ask", arguments: {} });
  assert.equal(answer.content, [{ type: "text", text: "accept" }]);
  assert.is(await changed, "changed");
  await client.close();
});

test("while the server stops, a call that waits for an answer gets it, and new calls are refused", async () => {
  const server = askingServer();
  const http = await listen(server, [httpEndpointWithSessions(server, definition)]);
  const client = new Client(clientInfo, { capabilities: { elicitation: {} } });
  let stopped: Promise<void> | undefined;
  const late: string[] = [];
  client.setRequestHandler("elicitation/create", async () => {
    stopped = http.close();
    const { status } = await sendRaw(modernRequest(http.url, "tools/list"));
    late.push(String(status));
    return { action: "accept", content: {} };
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(http.url)));
  const answer = await client.callTool({ name: "ask", arguments: {} });
  assert.equal(answer.content, [{ type: "text", text: "accept" }]);
  assert.equal(late, ["503"]);
  await client.close();
  await stopped;
});

/** Makes a request in the endpoint's form. The test ends its exchange. */
function exchangeOf(request: Request, principal?: string) {
  const over = new AbortController();
  const answer = async (sessions: HttpSessions): Promise<Response> => {
    const body = request.method === "POST" ? { parsedBody: await request.json() } : {};
    const who = principal === undefined ? {} : { authentication: { principal, scopes: ["read"] } };
    const holder = principal ?? "127.0.0.1";
    const exchange = { request, ...body, ...who, holder, over: over.signal };
    const response = await sessions.answer(exchange);
    return response as Response;
  };
  return { answer, end: () => over.abort() };
}

const url = "http://localhost/mcp";

/** Opens a session whose first exchange has ended. Returns its id. */
async function openIn(sessions: HttpSessions, principal?: string): Promise<string> {
  const { answer, end } = exchangeOf(legacyRequest(url, "initialize"), principal);
  const response = await answer(sessions);
  await response.text();
  end();
  return response.headers.get("mcp-session-id") as string;
}

async function statusOf(sessions: HttpSessions, request: Request, principal?: string) {
  const { answer, end } = exchangeOf(request, principal);
  const { status } = await answer(sessions);
  end();
  return status;
}

test("a session belongs to the principal who opened it", async () => {
  const sessions = new HttpSessions(makeServer(), false);
  const session = await openIn(sessions, "ada");
  const status = (principal?: string) =>
    statusOf(sessions, legacyRequest(url, "ping", session), principal);
  assert.equal([await status("bob"), await status(), await status("ada")], [404, 404, 200]);
  const stolen = new Request(url, { method: "DELETE", headers: { "mcp-session-id": session } });
  assert.is(await statusOf(sessions, stolen, "bob"), 404);
  assert.is(await status("ada"), 200);
  await sessions.close();
});

test("an idle session ends, and one with an open stream does not", async () => {
  const sessionIdleMs = 54_321;
  const timers = holdTimers(sessionIdleMs);
  const sessions = new HttpSessions(makeServer({ sessionIdleMs }), false);
  const [idle, streaming] = [await openIn(sessions), await openIn(sessions)];
  const headers = { "mcp-session-id": streaming, accept: "text/event-stream" };
  const stream = exchangeOf(new Request(url, { headers }));
  assert.is((await stream.answer(sessions)).status, 200);
  timers.end();
  const status = (session: string) => statusOf(sessions, legacyRequest(url, "ping", session));
  assert.is(await status(idle), 404);
  assert.is(await status(streaming), 200);
  stream.end();
  timers.end();
  assert.is(await status(streaming), 404);
  timers.release();
});

test("at the limit, an idle session is closed for a new one, those without a second request first", async () => {
  const sessions = new HttpSessions(makeServer({ sessions: 3 }), false);
  const status = (session: string) => statusOf(sessions, legacyRequest(url, "ping", session));
  const [used, unproven] = [await openIn(sessions), await openIn(sessions)];
  assert.is(await status(used), 200);
  for (let flood = 0; flood < 20; flood++) await openIn(sessions);
  assert.is(await status(unproven), 404);
  assert.is(await status(used), 200);
});

test("at the limit, only the principal with the most sessions loses one to others", async () => {
  const sessions = new HttpSessions(makeServer({ sessions: 3 }), false);
  const openAs = async (principal: string): Promise<string> => {
    const { answer, end } = exchangeOf(legacyRequest(url, "initialize"), principal);
    const response = await answer(sessions);
    await response.text();
    end();
    return response.headers.get("mcp-session-id") ?? String(response.status);
  };
  const isThere = async (session: string, principal: string): Promise<boolean> => {
    const { answer, end } = exchangeOf(legacyRequest(url, "ping", session), principal);
    const { status } = await answer(sessions);
    end();
    return status === 200;
  };
  const ada = await openAs("ada");
  const bob: string[] = [];
  for (let flood = 0; flood < 20; flood++) bob.push(await openAs("bob"));
  assert.ok(await isThere(ada, "ada"), "a flood of another's leaves it alone");
  const eve = await openAs("eve");
  assert.ok(await isThere(eve, "eve"));
  assert.ok(await isThere(bob.at(-1) ?? "", "bob"));
  assert.not(await isThere(bob.at(-2) ?? "", "bob"));
  assert.is(await openAs("joe"), "503", "where each has one, nobody loses it");
  await sessions.close();
});

test("at the limit, sessions in use are kept and new ones refused", async () => {
  const sessions = new HttpSessions(makeServer({ sessions: 2 }), false);
  const openStream = async () => {
    const headers = { "mcp-session-id": await openIn(sessions), accept: "text/event-stream" };
    const stream = exchangeOf(new Request(url, { headers }));
    await stream.answer(sessions);
    return stream;
  };
  const [first] = [await openStream(), await openStream()];
  const refused = await exchangeOf(legacyRequest(url, "initialize")).answer(sessions);
  assert.equal([refused.status, refused.headers.get("retry-after")], [503, "60"]);
  first.end();
  assert.is(await statusOf(sessions, legacyRequest(url, "initialize")), 200);
  await sessions.close();
});

/** Reads this number of events from a stream. */
async function readEvents(response: Response, count: number): Promise<string> {
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk as Uint8Array).toString();
    if (text.split("\n\n").length > count) break;
  }
  return text;
}

const lastId = (events: string): string => [...events.matchAll(/^id: (.+)$/gm)].at(-1)?.[1] ?? "";

test("an answer that was lost with its stream is sent again, once, and only in its session", async () => {
  const url = await serve(makeServer(), true);
  const session = await openSession(url);
  const sleep = { name: "sleep", arguments: { ms: 300 } };
  const call = legacyRequest(url, "tools/call", session, sleep);
  call.headers.set("mcp-protocol-version", "2025-11-25");
  // The first event has only an id. Then the connection breaks, and the call continues.
  const opening = await readEvents(await fetch(call), 1);
  assert.match(opening, /^retry: 1000$/m);
  const resume = (after: string, session: string): Promise<RawAnswer> => {
    const headers = { "mcp-session-id": session, "last-event-id": after };
    return sendRaw(new Request(url, { headers: { ...headers, accept: "text/event-stream" } }));
  };
  const answer = await resume(lastId(opening), session);
  assert.match(answer.text, /slept 300 ms/);
  assert.is((await resume(lastId(answer.text), session)).text, "");
  assert.is((await resume("999", session)).status, 400);
  assert.is((await resume("999", await openSession(url))).status, 400);
});

test("a client that resumes a stream after its answer, also an error, is told not to come again", async () => {
  const url = await serve(makeServer(), true);
  const session = await openSession(url);
  for (const uri of ["no://such", "sample://help"]) {
    const read = legacyRequest(url, "resources/read", session, { uri });
    read.headers.set("mcp-protocol-version", "2025-11-25");
    const { text } = await sendRaw(read);
    const headers = { "mcp-session-id": session, accept: "text/event-stream" };
    const [priming = "", last = ""] = [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id);
    const resume = (id: string): Promise<RawAnswer> =>
      sendRaw(new Request(url, { headers: { ...headers, "last-event-id": id } }));
    assert.match((await resume(priming)).text, /"id":1/);
    assert.is((await resume(last)).status, 204);
  }
});

test("closing ends the streams of sessions, after the running calls", async () => {
  const server = makeServer();
  const http = await listen(server, [httpEndpointWithSessions(server, definition)]);
  const session = await openSession(http.url);
  const headers = { "mcp-session-id": session, accept: "text/event-stream" };
  const events = (await fetch(http.url, { headers })).text();
  const sleep = { name: "sleep", arguments: { ms: 300 } };
  const before = lines.length;
  const call = sendRaw(legacyRequest(http.url, "tools/call", session, sleep));
  await until(() => lines.slice(before).some((line) => line.includes('"sleeping"')));
  await http.close();
  assert.match((await call).text, /slept 300 ms/);
  assert.is(await events, "");
});

test.run();
