import { test } from "uvu";
import * as assert from "uvu/assert";
import { HttpServers } from "../samples/http-servers.js";
import { RawClient, statusOf } from "../samples/raw-client.js";
import { sendRaw } from "../suite/clients/http.js";

const servers = new HttpServers();
test.after(() => servers.close());
const { http } = await servers.start({}, {}, true);
const raw = new RawClient(http.url);

test("foreign hosts and origins get 403", async () => {
  const call = raw.head("POST /mcp HTTP/1.1").replace(/Host: [^\r]+/, "Host: evil.example");
  assert.is(statusOf(await raw.sendBytes(call)), 403);
  for (const origin of ["http://evil.example", "null", "http://localhost.evil.com"]) {
    assert.is((await raw.greet({ origin })).status, 403, origin);
  }
  const { port } = new URL(http.url);
  assert.is((await raw.greet({ origin: `http://localhost:${port}` })).status, 200);
});

test("a refused name is in the log, and in the answer to callers on this machine, with the setting", async () => {
  const host = raw.head("POST /mcp HTTP/1.1").replace(/Host: [^\r]+/, "Host: mcp.corp.example");
  const answers = [
    await raw.sendBytes(host),
    (await raw.greet({ origin: "vscode-webview://a1\u00e9" })).text,
    (
      await sendRaw(
        new Request(http.url, {
          method: "OPTIONS",
          headers: { origin: "http://localhost:6274", "access-control-request-method": "POST" },
        }),
      )
    ).text,
  ];
  for (const [index, [words, setting]] of (
    [
      ['Host not allowed: \\"mcp.corp.example\\" arrived', "allowedHosts"],
      ['Origin not allowed: \\"vscode-webview://a1', "allowedOrigins"],
      ['No CORS for this origin: \\"http://localhost:6274\\" arrived', "allowedOrigins"],
    ] as const
  ).entries()) {
    assert.ok(answers[index]?.includes(words), answers[index]);
    assert.ok(answers[index]?.includes(`${setting} in the manifest`), answers[index]);
  }
  const logged = servers.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const found = logged.filter(({ received }) => received !== undefined);
  assert.ok(
    found.some(
      ({ received, setting }) =>
        `${received}` === "http://localhost:6274" && setting === "allowedOrigins",
    ),
    JSON.stringify(found),
  );
});

test("a page without an origin is refused without the name of a setting, since none allows it", async () => {
  // A server of its own: of several refusals for one reason, the first is logged at once.
  const own = await servers.start({}, {}, true);
  const { text } = await new RawClient(own.http.url).greet({ origin: "null" });
  assert.match(
    text,
    'Origin not allowed: \\"null\\" arrived. No setting allows pages without an origin',
  );
  const logged = servers.lines.filter((line) => line.includes('"received":"null"'));
  assert.ok(logged.length > 0 && logged.every((line) => !line.includes("allowedOrigins")));
});

test("origins of the manifest get CORS headers, also for preflight requests", async () => {
  const origin = "https://app.example.com";
  const { status, headers } = await raw.greet({ origin });
  assert.equal([status, headers.get("access-control-allow-origin")], [200, origin]);
  const preflight = await sendRaw(
    new Request(http.url, {
      method: "OPTIONS",
      headers: { origin, "access-control-request-headers": "mcp-method" },
    }),
  );
  assert.is(preflight.status, 204);
  assert.is(preflight.headers.get("access-control-allow-headers"), "mcp-method");
});

test("a page of an allowed origin can read the reason of a refusal", async () => {
  const origin = "https://app.example.com";
  const refusals = [
    await raw.greet({ origin }, undefined, "PUT"),
    await raw.greet({ origin, "content-type": "text/plain" }),
    await raw.greet({ origin }, "{"),
    await raw.greet({ origin }, "x".repeat(5_000_000)),
    await sendRaw(new Request(new URL("/nothing", http.url), { headers: { origin } })),
  ];
  for (const { status, headers } of refusals) {
    assert.is(headers.get("access-control-allow-origin"), origin, String(status));
  }
  assert.equal(
    refusals.map(({ status }) => status),
    [405, 415, 400, 413, 404],
  );
});

test.run();
