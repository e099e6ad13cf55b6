import { createServer, request as httpRequest, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { Recorder } from "../../record/recorder.js";
import { RecordedEndpoint } from "./recorded-endpoint.js";

interface Seen {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

const seen: Seen[] = [];
const upstream = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(chunks).toString();
    seen.push({ method: request.method ?? "", headers: request.headers, body });
    const { id = 0, params } =
      body === "" ? {} : (JSON.parse(body) as { id: number; params?: { name: string } });
    const answer = JSON.stringify({
      jsonrpc: "2.0",
      id,
      result: { content: [{ type: "text", text: "hi" }] },
    });
    const headers = {
      "mcp-session-id": "session-of-the-server",
      "set-cookie": ["sid=cookie-value-1; Path=/", "lang=cookie-value-2"],
    };
    if (params?.name === "stream") {
      response.writeHead(200, { ...headers, "content-type": "text/event-stream" });
      response.write(
        `: comment\n\nevent: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress"}\n\n`,
      );
      response.end(`data: ${answer.slice(0, 17)}\ndata: ${answer.slice(17)}`);
    } else if (params?.name === "away")
      response.writeHead(307, { location: "https://elsewhere.example/" }).end();
    else response.writeHead(200, { ...headers, "content-type": "application/json" }).end(answer);
  });
});
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
const target = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}/deep/mcp?api_key=key-in-the-url`;

const recorder = new Recorder();
const endpoint = new RecordedEndpoint(
  { url: target, headers: { authorization: "Bearer given-token-1" } },
  recorder,
);
await endpoint.listen(0);
test.after(async () => {
  await endpoint.close();
  upstream.close();
});

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

function send({
  method = "POST",
  path = "/mcp",
  headers = {},
  body = "",
}: Sent): Promise<Answered> {
  const { port } = new URL(endpoint.url);
  const all = { "content-type": "application/json", ...headers };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: "127.0.0.1", port, path, method, headers: all },
      (response) => {
        let text = "";
        response.on("data", (chunk: Buffer) => (text += chunk.toString()));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        );
      },
    );
    request.on("error", reject);
    request.end(body);
  });
}

const call = (id: number, name: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: {} } });

test("requests and answers are passed on, in JSON and as events, and their calls are recorded", async () => {
  const headers = {
    "x-api-key": "key-of-the-client",
    "mcp-protocol-version": "2026-07-28",
    origin: "http://localhost:99",
  };
  const one = await send({ body: call(1, "plain"), headers });
  assert.is(one.status, 200);
  assert.is(one.headers["mcp-session-id"], "session-of-the-server");
  assert.equal(one.headers["set-cookie"], ["sid=cookie-value-1; Path=/", "lang=cookie-value-2"]);
  const [{ headers: received, body }] = seen as [Seen];
  assert.is(body, call(1, "plain"));
  assert.equal(
    [
      received.authorization,
      received["x-api-key"],
      received["mcp-protocol-version"],
      received.origin,
    ],
    ["Bearer given-token-1", "key-of-the-client", "2026-07-28", undefined],
  );
  const streamed = await send({ body: call(1, "stream") });
  assert.match(streamed.body, /^: comment\n\nevent: message\n/);
  assert.equal(
    recorder.calls.map(({ tool }) => tool),
    ["plain", "stream"],
  );
  for (const secret of [
    "given-token-1",
    "key-of-the-client",
    "session-of-the-server",
    "cookie-value-1",
    "cookie-value-2",
    "key-in-the-url",
  ]) {
    assert.ok(endpoint.secrets.includes(secret), secret);
  }
});

test("pages of other sites, wrong bodies, methods and paths are refused, and reach no server", async () => {
  const before = seen.length;
  const large = "x".repeat(4 * 1024 * 1024 + 1);
  const cases: readonly [Sent, number][] = [
    [{ headers: { host: "evil.example" } }, 403],
    [{ headers: { origin: "https://evil.example" } }, 403],
    [{ headers: { "sec-fetch-site": "cross-site" } }, 403],
    [{ headers: { "content-type": "text/plain" }, body: call(1, "a") }, 415],
    [{ headers: { "content-encoding": "gzip" } }, 415],
    [{ body: large }, 413],
    [{ method: "PUT" }, 405],
    [{ method: "OPTIONS", headers: { origin: "http://localhost:1" } }, 405],
    [{ path: "/other" }, 404],
    [{ path: "//evil.example/mcp" }, 404],
  ];
  for (const [sent, status] of cases) {
    assert.is((await send(sent)).status, status, JSON.stringify(sent).slice(0, 100));
  }
  assert.is(seen.length, before);
});

test("redirects are passed on and not followed, and a server that is away is a 502", async () => {
  const away = await send({ body: call(1, "away") });
  assert.equal([away.status, away.headers.location], [307, "https://elsewhere.example/"]);
  const nowhere = new RecordedEndpoint({ url: "http://127.0.0.1:9/", headers: {} }, new Recorder());
  await nowhere.listen(0);
  const answer = await fetch(nowhere.url, {
    method: "POST",
    body: "{}",
    headers: { "content-type": "application/json" },
  });
  assert.is(answer.status, 502);
  await nowhere.close();
});

test.run();
