import { createHash } from "node:crypto";
import { gzipSync } from "node:zlib";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { apiKeys } from "../auth.js";
import { changes } from "../changes.js";
import { fetchHandler, type FetchHandler } from "../fetch.js";
import { http, type HttpSettings } from "../http.js";
import {
  defineServer,
  defineTool,
  type Awaitable,
  type HandlerContext,
  type ServerSettings,
} from "../index.js";
import { createLog } from "../observe/log.js";
import { page } from "../page.js";
import { until } from "../samples/until.js";
import { stdio } from "../stdio.js";
import { closeAll } from "../suite/clients/harness.js";
import { connectTo, modernRequest, sendRaw } from "../suite/clients/http.js";

test.after(closeAll);

const URL_HERE = "http://localhost/mcp";
const key = "a-key-of-ada";
const keyLine = `ada:${createHash("sha256").update(key).digest("hex")}:read`;

type Context = HandlerContext<object, undefined>;
type Handler = (input: { readonly text: string }, ctx: Context) => Awaitable<string>;

function tool(name: string, handler: Handler, scopes?: readonly string[]) {
  const accept = Object.assign(() => true, { errors: null });
  return defineTool<{ readonly text: string }, string, Context>({
    definition: { name, inputSchema: { type: "object", properties: { text: { type: "string" } } } },
    validators: async () => ({ input: accept }),
    handler: async () => handler,
    ...(scopes !== undefined && { scopes }),
  });
}

/** The time that a handler takes which is called slow. */
const slowMs = 600;
let aborted = 0;
const tools = [
  tool("echo", ({ text }) => text),
  tool("long", () => "x".repeat(5_000_000)),
  tool("slow", async ({ text }, { signal }) => {
    signal.addEventListener("abort", () => void aborted++);
    await new Promise((resolve) => setTimeout(resolve, slowMs));
    return text;
  }),
  tool("secret", () => "for readers", ["read"]),
  tool("more", () => "for writers", ["write"]),
];

interface Served {
  readonly handle: FetchHandler<string | undefined>;
  readonly lines: string[];
  /** Sends a request from an address. */
  send(request: Request, address?: string): Promise<Response>;
}

function serve(
  settings: Partial<ServerSettings<object, undefined>> = {},
  transport: HttpSettings = {},
  environment = {},
): Served {
  const server = defineServer<object, undefined>({
    info: { name: "edge", version: "1.0.0" },
    transports: [stdio(), http(transport)],
    tools: tools.slice(0, 3),
    ...settings,
  });
  const lines: string[] = [];
  const handle = fetchHandler(server, {
    address: (_request, address: string | undefined) => address,
    environment,
    log: createLog({ write: (line) => void lines.push(line) }),
  });
  return { handle, lines, send: (request, address = "192.0.2.1") => handle(request, address) };
}

const call = (name: string, text = "hello", headers: Record<string, string> = {}): Request =>
  modernRequest(URL_HERE, "tools/call", { name, arguments: { text } }, headers);

const post = (body: string | ReadableStream, headers: Record<string, string> = {}): Request =>
  new Request(URL_HERE, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
    ...(body instanceof ReadableStream && { duplex: "half" }),
  } as RequestInit);

async function assertRefused(response: Response, status: number, message: RegExp): Promise<void> {
  assert.is(response.status, status);
  const { error } = (await response.json()) as { readonly error: { readonly message: string } };
  assert.match(error.message, message);
}

for (const era of ["modern", "legacy"] as const) {
  test(`${era}: a client lists and calls tools`, async () => {
    const { send } = serve();
    const client = await connectTo((request) => send(request), era);
    const { tools } = await client.listTools();
    assert.is(tools.length, 3);
    const { content } = await client.callTool({ name: "echo", arguments: { text: "hi" } });
    assert.equal(content, [{ type: "text", text: "hi" }]);
  });
}

test("health, readiness, metrics and the page are served, and unknown paths are not", async () => {
  const { send } = serve({}, { ready: "/readyz", metrics: "/metrics", page: page() });
  const get = (path: string, init: RequestInit = {}): Promise<Response> =>
    send(new Request(`http://localhost${path}`, init));
  assert.equal(await (await get("/healthz")).json(), { status: "ok" });
  assert.equal(await (await get("/readyz?exclude=redis")).json(), { status: "ok" });
  assert.match(await (await get("/metrics")).text(), "mcp_server_requests_total");
  const head = await get("/healthz", { method: "HEAD" });
  assert.is(head.status, 200);
  assert.is(await head.text(), "");
  assert.is((await get("/healthz", { method: "POST" })).headers.get("allow"), "GET, HEAD");
  const shown = await get("/mcp", { headers: { accept: "text/html" } });
  assert.match(shown.headers.get("content-security-policy") ?? "", "frame-ancestors 'none'");
  assert.is((await get("/nowhere")).status, 404);
  assert.is((await get("/mcp")).status, 405);
});

test("hosts, origins and preflights are judged as over a socket", async () => {
  const { send, lines } = serve({}, { allowedOrigins: ["https://app.example"] });
  const headers = (more: Record<string, string>): Request => call("echo", "x", more);
  await assertRefused(await send(headers({ host: "evil.example" })), 403, /^Host not allowed/);
  await assertRefused(await send(headers({ origin: "https://evil.example" })), 403, /^Origin/);
  assert.ok(lines.some((line) => line.includes('"allowedOrigins"')));
  const allowed = await send(headers({ origin: "https://app.example" }));
  assert.is(allowed.headers.get("access-control-allow-origin"), "https://app.example");
  const preflight = await send(
    new Request(URL_HERE, {
      method: "OPTIONS",
      headers: { origin: "https://app.example", "access-control-request-method": "POST" },
    }),
  );
  assert.is(preflight.status, 204);
  assert.is(preflight.headers.get("access-control-allow-methods"), "POST");
});

test("callers are identified, and scopes decide what they may call", async () => {
  const { send } = serve({ tools, auth: [apiKeys(() => keyLine)] });
  const stranger = await send(call("echo"));
  assert.is(stranger.status, 401);
  assert.is(stranger.headers.get("www-authenticate"), "Bearer");
  const mine = { authorization: `Bearer ${key}` };
  assert.match(await (await send(call("secret", "", mine))).text(), "for readers");
  await assertRefused(await send(call("more", "", mine)), 403, /^Insufficient scope: write/);
  // The runtime joins headers that came twice.
  const twice = { authorization: `Bearer ${key}, Bearer ${key}` };
  assert.is((await send(call("echo", "", twice))).status, 401);
});

test("the metadata about tokens is served on every path at which clients ask for it", async () => {
  const resource = () => ({
    resource: "https://mcp.example/mcp",
    authorizationServers: ["https://login.example"],
  });
  const { send } = serve({ auth: [apiKeys(() => keyLine)], resource });
  const path = "/.well-known/oauth-protected-resource/mcp";
  const answer = await send(new Request(`http://localhost${path}`));
  assert.is(answer.headers.get("access-control-allow-origin"), "*");
  const { resource: told } = (await answer.json()) as { readonly resource: string };
  assert.is(told, "https://mcp.example/mcp");
});

test("each address has its own rate, and without an address all share one", async () => {
  const { handle, send } = serve({ limits: { ratePerSecond: 1 } });
  const list = (): Request => modernRequest(URL_HERE, "tools/list", {});
  assert.is((await send(list(), "192.0.2.7")).status, 200);
  const refused = await send(list(), "192.0.2.7");
  assert.is(refused.headers.get("retry-after"), "1");
  await assertRefused(refused, 429, /limits\.ratePerSecond/);
  assert.is((await send(list(), "192.0.2.8")).status, 200);
  assert.is((await handle(list(), undefined)).status, 200);
  assert.is((await handle(list(), undefined)).status, 429);
});

test("a body that is declared or streamed too long is refused, and not read to its end", async () => {
  const { send } = serve({ limits: { bodyBytes: 100_000 } });
  const declared = post("{}", { "content-length": "5000000" });
  await assertRefused(await send(declared), 413, /limits\.bodyBytes/);
  let chunks = 0;
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      chunks++;
      controller.enqueue(new Uint8Array(10_000));
    },
    cancel: () => void (isCancelled = true),
  });
  await assertRefused(await send(post(endless)), 413, /limits\.bodyBytes/);
  await until(() => isCancelled);
  assert.ok(chunks < 20, `${chunks} chunks were read`);
});

test("a body that stops is refused after its time, and one that breaks off at once", async () => {
  const { send } = serve({ limits: { bodyTimeoutMs: 200 } });
  let isCancelled = false;
  const silent = new ReadableStream({ cancel: () => void (isCancelled = true) });
  await assertRefused(await send(post(silent)), 408, /limits\.bodyTimeoutMs/);
  await until(() => isCancelled);
  const broken = new ReadableStream({ start: (controller) => controller.error(new Error("gone")) });
  await assertRefused(await send(post(broken)), 400, /did not arrive whole/);
});

test("bodies may be compressed, within the limit of what is in them", async () => {
  const { send } = serve({ limits: { bodyBytes: 10_000 } });
  const request = modernRequest(URL_HERE, "tools/list", {});
  const compressed = (bytes: Uint8Array<ArrayBuffer>, encoding: string): Request =>
    new Request(request, {
      body: bytes,
      headers: { ...Object.fromEntries(request.headers), "content-encoding": encoding },
    });
  const zip = async (): Promise<Uint8Array<ArrayBuffer>> =>
    new Uint8Array(gzipSync(await request.clone().text()));
  assert.is((await send(compressed(await zip(), "gzip"))).status, 200);
  await assertRefused(await send(compressed(await zip(), "br")), 415, /gzip, deflate/);
  await assertRefused(await send(compressed(await zip(), "gzip, gzip")), 415, /gzip, deflate/);
  await assertRefused(await send(compressed(new Uint8Array(9), "gzip")), 400, /Content-Encoding/);
  const bomb = new Uint8Array(gzipSync(Buffer.alloc(1_000_000, " ")));
  await assertRefused(await send(compressed(bomb, "gzip")), 413, /limits\.bodyBytes/);
});

test("a request with two media types has none", async () => {
  const { send } = serve();
  const joined = { "content-type": "application/json, text/plain" };
  await assertRefused(await send(post("{}", joined)), 415, /application\/json/);
});

test("the answer to a slow call begins before its end, in the form that the client takes", async () => {
  const { send } = serve();
  const startedAt = performance.now();
  const answer = await send(call("slow"));
  assert.ok(performance.now() - startedAt < slowMs - 50, "its headers come before the call ends");
  assert.is(answer.headers.get("content-type"), "text/event-stream");
  assert.match(await answer.text(), /^: keepalive\n\nevent: message\ndata: \{.*"hello".*\}\n\n$/);
  const json = await send(call("slow", "hello", { accept: "application/json" }));
  assert.is(json.headers.get("content-type"), "application/json");
  const { result } = (await json.json()) as { readonly result: object };
  assert.equal(Reflect.get(result, "content"), [{ type: "text", text: "hello" }]);
});

test("a client that goes away ends its call", async () => {
  const { send } = serve();
  const before = aborted;
  const gone = new AbortController();
  void send(new Request(call("slow"), { signal: gone.signal })).catch(() => undefined);
  setTimeout(() => gone.abort(), 50);
  await until(() => aborted > before);
  const answer = await send(call("slow"));
  await answer.body?.cancel();
  await until(() => aborted > before + 1);
});

test("a long answer comes whole", async () => {
  const { send } = serve();
  const { message } = await sendRaw(call("long"), (request) => send(request));
  const [content] = message.result?.["content"] as readonly { readonly text: string }[];
  assert.is(content?.text.length, 5_000_000);
});

test("subscriptions end with their clients, and give their places back", async () => {
  const { send } = serve({ limits: { subscriptions: 1 }, use: [changes()] });
  const listen = (address: string): Promise<Response> =>
    send(modernRequest(URL_HERE, "subscriptions/listen", { notifications: {} }), address);
  const first = await listen("192.0.2.1");
  const reader = first.body!.getReader();
  assert.match(Buffer.from((await reader.read()).value!).toString(), "acknowledged");
  assert.match(await (await listen("192.0.2.2")).text(), /limits\.subscriptions/);
  await reader.cancel();
  const next = await listen("192.0.2.2");
  assert.is(next.headers.get("content-type"), "text/event-stream");
  await next.body?.cancel();
});

test("a server that cannot start says so without the reason, which its log has", async () => {
  const env = [{ name: "TOKEN", type: "string", required: true, secret: true }] as const;
  const { send, lines } = serve({ env });
  await assertRefused(await send(call("echo")), 503, /^The server could not start; its log/);
  assert.ok(lines.some((line) => line.includes("TOKEN is required")));
  const count = lines.length;
  assert.is((await send(call("echo"))).status, 503);
  assert.is(lines.length, count, "it does not try again for each request");
});

test("environment variables leave items out of a server behind fetch, too", async () => {
  const call = () => modernRequest(URL_HERE, "tools/call", { name: "echo", arguments: {} });
  const reading = await serve({}, {}, { MCP_READ_ONLY: "1" }).send(call());
  assert.match(await reading.text(), /"code":-3260[12]/);
  const unknown = serve({}, {}, { MCP_GROUPS: "admin" });
  assert.is((await unknown.send(call())).status, 503);
  assert.match(
    unknown.lines.join(),
    "MCP_GROUPS names the unknown group admin: no item has groups",
  );
});

test("a setting that needs a process of its own is refused when a server behind fetch is made", () => {
  assert.throws(() => serve({}, { sessions: "memory" }), /sessions need a process/);
  assert.throws(() => serve({ transports: [stdio()] }), /no transport http/);
});

test("a request without a URL is refused, as where a runtime has joined two hosts", async () => {
  const request = modernRequest(URL_HERE, "tools/list");
  Object.defineProperty(request, "url", { value: "http://localhost, evil.example/mcp" });
  const answer = await serve().send(request);
  assert.is(answer.status, 400);
  assert.match(await answer.text(), "no request of HTTP");
});

test.run();
