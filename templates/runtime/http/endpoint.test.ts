import { test } from "uvu";
import * as assert from "uvu/assert";
import { HttpServers } from "../samples/http-servers.js";
import { sampleServer } from "../samples/server.js";
import { connectHttp } from "../suite/clients/http.js";

const servers = new HttpServers();
test.after(() => servers.close());
const { http } = await servers.start();

for (const era of ["modern", "legacy"] as const) {
  test(`${era}: the official client is served over a socket`, async () => {
    const client = await connectHttp(http.url, era);
    const answer = await client.callTool({ name: "greet", arguments: { who: "Ada" } });
    assert.equal(answer.content, [{ type: "text", text: "Hello, Ada!" }]);
    const reports: number[] = [];
    const onprogress = ({ progress }: { progress: number }): void => void reports.push(progress);
    await client.callTool({ name: "report" }, { onprogress });
    assert.equal(reports, [0, 1]);
  });
}

test("everyone can read the health check", async () => {
  const url = new URL("/healthz", http.url);
  const answer = await fetch(url);
  assert.equal([answer.status, await answer.json()], [200, { status: "ok" }]);
  assert.is((await fetch(url, { method: "HEAD" })).status, 200);
  assert.is((await fetch(url, { method: "POST" })).status, 405);
});

test("a server that cannot use one of its items is not healthy", async () => {
  const [first] = sampleServer.tools;
  const broken = { ...first!, handler: () => Promise.reject(new Error("no such module")) };
  const { http, server } = await servers.start({ tools: [broken] });
  const url = new URL("/healthz", http.url);
  assert.is((await fetch(url)).status, 200, "before anything was imported");
  await server.importItems();
  const answer = await fetch(url);
  assert.equal([answer.status, await answer.json()], [503, { status: "broken" }]);
  assert.ok(servers.lines.some((line) => line.includes("no such module")));
});

test("a server that rejects the older eras names the version that it supports", async () => {
  const { http } = await servers.start({ protocol: { legacy: "reject" } });
  const refused = await connectHttp(http.url, "legacy").then(
    () => "served",
    (error: Error) => error.message,
  );
  assert.match(refused, /2026-07-28|protocol version/i);
  const client = await connectHttp(http.url, "modern");
  assert.is(client.getServerVersion()?.name, "sample");
});

test.run();
