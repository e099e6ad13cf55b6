import { foreignOrigin } from "../clients/http.js";
import { connectHttp, modernRequest, sendRaw, type RawAnswer } from "../clients/http.js";
import type { Json, JsonObject, ServerContract } from "../contract.js";
import { expectEqual, expectThat, testText } from "../expectation.js";
import { closeAll, type Connect } from "../clients/harness.js";
import { listeningServer } from "../clients/listening-server.js";
import type { TestRegistry } from "../clients/probed-server.js";
import { testEras } from "./every-transport.js";

/** Connects a client to the built server over Streamable HTTP. */
export const connectHttpServer: Connect = async (era, contract) => {
  const { url, fetch, stderr } = listeningServer(contract);
  const endpoint = await url("http");
  return { client: await stderr.explain(() => connectHttp(endpoint, era, fetch)), stderr };
};

/** Registers the tests of the built server behind Streamable HTTP. */
export function testHttp(test: TestRegistry, contract: ServerContract): void {
  const http = contract.transports.find(({ type }) => type === "http") as JsonObject;
  const urlOf = async (path: Json | undefined = http["path"]): Promise<string> =>
    new URL(String(path), await listeningServer(contract).url("http")).href;
  const send = (request: Request): Promise<RawAnswer> =>
    sendRaw(request, listeningServer(contract).fetch);
  if (contract.guarded === undefined) testAnswers(test, contract, http, urlOf, send);
  else testGuard(test, contract, contract.guarded, urlOf, send);
  test("HTTP refuses pages of other sites", async () => {
    const headers = { origin: foreignOrigin(http) };
    const { status } = await send(modernRequest(await urlOf(), "server/discover", {}, headers));
    expectEqual(status, 403, "status");
  });
  test("HTTP has a health check", async () => {
    const { status } = await send(new Request(await urlOf(http["health"])));
    expectEqual(status, 200, "status");
  });
  if (http["card"] !== undefined) {
    test("HTTP shows everyone the server card", async () => {
      const { status, headers } = await send(new Request(`${await urlOf()}/server-card`));
      expectEqual(status, 200, "status");
      expectEqual(headers.get("content-type"), "application/mcp-server-card+json", "content type");
    });
  }
}

type Send = (request: Request) => Promise<RawAnswer>;

/** Registers the tests of a server that answers all callers. */
function testAnswers(
  test: TestRegistry,
  contract: ServerContract,
  http: JsonObject,
  urlOf: (path?: Json) => Promise<string>,
  send: Send,
): void {
  testEras(test, contract, {
    name: "HTTP",
    connect: connectHttpServer,
    ...(http["sessions"] !== "memory" && {
      legacyCapabilities: withoutChanges(contract.capabilities),
    }),
  });
  test("HTTP answers server/discover without a handshake", async () => {
    const { status, message } = await send(modernRequest(await urlOf(), "server/discover"));
    expectEqual(status, 200, "status");
    const versions = message.result?.["supportedVersions"] as string[];
    expectThat(versions.includes("2026-07-28"), "2026-07-28 is not among the versions");
  });
  test("HTTP describes the problem of a body", async () => {
    const { headers } = modernRequest(await urlOf(), "server/discover");
    const request = new Request(await urlOf(), { method: "POST", headers, body: "{" });
    const { status, message } = await send(request);
    expectEqual(status, 400, "status");
    expectEqual(message.error?.code, -32700, "code of the error");
    expectEqual(message.error?.message, "Parse error: the body is not JSON in UTF-8", "message");
  });
  if (http["metrics"] !== undefined) {
    testMetrics(test, () => urlOf(http["metrics"]), foreignOrigin(http), send);
  }
  if (http["sessions"] === "memory") testSessions(test, urlOf, send, http["resumable"] === true);
}

/** Registers the test of a server that authenticates callers. The test has no valid token, so it sends none. */
function testGuard(
  test: TestRegistry,
  contract: ServerContract,
  { method, params, mayBeOpen = false }: NonNullable<ServerContract["guarded"]>,
  urlOf: () => Promise<string>,
  send: Send,
): void {
  test.after(closeAll);
  const does = mayBeOpen ? "answers or refuses" : "refuses what needs scopes to";
  const title = `HTTP ${does} callers who do not say who they are`;
  test(title, async () => {
    const { status, headers } = await send(modernRequest(await urlOf(), method, params));
    if (mayBeOpen && status === 200) return;
    const missing = await listeningServer(contract).stderr.missingService();
    // This is known only now, when the test runs already and cannot be skipped.
    if (missing !== undefined) return console.log(testText(`skipped: ${title} (${missing})`));
    expectThat(status === 401 || status === 403, `status ${status}`);
    const challenge = headers.get("www-authenticate") ?? "";
    expectThat(challenge.startsWith("Bearer"), `the challenge is ${challenge}`);
  });
}

function testMetrics(
  test: TestRegistry,
  urlOf: () => Promise<string>,
  origin: string,
  send: (request: Request) => Promise<RawAnswer>,
): void {
  test("HTTP returns metrics to callers that may call", async () => {
    const url = await urlOf();
    const { status, headers, text } = await send(new Request(url));
    expectEqual(status, 200, "status");
    expectThat(
      headers.get("content-type")?.startsWith("text/plain; version=0.0.4") ?? false,
      "the content type is not that of Prometheus' text format",
    );
    expectThat(text.includes("mcp_server_requests_in_flight "), "requests are not counted");
    const stranger = new Request(url, { headers: { origin } });
    expectEqual((await send(stranger)).status, 403, "the status for pages of other sites");
  });
}

function testSessions(
  test: TestRegistry,
  urlOf: () => Promise<string>,
  send: (request: Request) => Promise<RawAnswer>,
  resumable: boolean,
): void {
  test("HTTP keeps a session of the legacy era until it is deleted", async () => {
    const url = await urlOf();
    const opened = await send(legacyRequest(url, "initialize", {}));
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    expectEqual((await send(legacyRequest(url, "ping", session))).status, 200, "in the session");
    const remove = new Request(url, { method: "DELETE", headers: session });
    expectEqual((await send(remove)).status, 200, "DELETE");
    expectEqual((await send(legacyRequest(url, "ping", session))).status, 404, "after DELETE");
  });
  test("HTTP answers no legacy request without a session", async () => {
    expectEqual((await send(legacyRequest(await urlOf(), "ping", {}))).status, 400, "status");
  });
  if (!resumable) return;
  test("HTTP resumes a lost answer", async () => {
    const url = await urlOf();
    const opened = await send(legacyRequest(url, "initialize", {}));
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
    const answer = await send(legacyRequest(url, "ping", session));
    const [, first = ""] = /^id: (.+)$/m.exec(answer.text) ?? [];
    const headers = { ...session, accept: "text/event-stream", "last-event-id": first };
    const again = await send(new Request(url, { headers }));
    expectEqual(again.message, answer.message, "the answer");
  });
}

function legacyRequest(
  url: string,
  method: "initialize" | "ping",
  session: Readonly<Record<string, string>>,
): Request {
  const clientInfo = { name: "contract-tests", version: "1.0.0" };
  const handshake = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const params = method === "initialize" ? handshake : {};
  return new Request(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(method === "initialize" ? {} : { "mcp-protocol-version": "2025-11-25" }),
      ...session,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
}

/** Returns the capabilities for a client that cannot get notifications of changes. */
function withoutChanges(capabilities: JsonObject): JsonObject {
  const notified = new Set(["listChanged", "subscribe"]);
  return JSON.parse(
    JSON.stringify(capabilities, (key, value: unknown) => (notified.has(key) ? false : value)),
  ) as JsonObject;
}
