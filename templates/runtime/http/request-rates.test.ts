import { request, type IncomingMessage } from "node:http";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { HttpServers } from "../samples/http-servers.js";
import { RawClient } from "../samples/raw-client.js";
import { withStoppedClock } from "../samples/stopped-clock.js";
import { modernRequest, sendRaw } from "../suite/clients/http.js";

const servers = new HttpServers();
test.after(() => servers.close());

test("a connection that sends more requests after many refusals is closed", async () => {
  const { http: limited } = await servers.start({ limits: { ratePerSecond: 3 } });
  const flood = "GET /nowhere HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".repeat(3_000);
  const answers = await new RawClient(limited.url).sendBytes(flood);
  const count = answers.match(/HTTP\/1\.1 (404|429)/g)?.length ?? 0;
  assert.ok(count < 300, `${count} answers`);
  const last = answers.slice(answers.lastIndexOf("HTTP/1.1 "));
  assert.match(last, /^HTTP\/1\.1 429 Too Many Requests\r\n/);
  assert.match(last, /\r\nconnection: close\r\n/i);
  assert.match(last, /"Too many requests \(limits\.ratePerSecond: 3\)"/);
  assert.is(answers.match(/\r\nconnection: close\r\n/gi)?.length, 1, "no other answer says so");
});

test("what is refused for the rate is a warning that names limit and sender, joined and flushed at stop", async () => {
  const from = servers.lines.length;
  const { http: limited, server } = await servers.start({ limits: { ratePerSecond: 3 } });
  await withStoppedClock(async () => {
    for (let sent = 0; sent < 13; sent += 1) {
      const { status, message } = await sendRaw(modernRequest(limited.url, "tools/list"));
      assert.is(status, sent < 3 ? 200 : 429);
      if (status === 200) continue;
      assert.is(message.error?.message, "Too many requests (limits.ratePerSecond: 3)");
    }
  });
  const warnings = (): unknown[] =>
    servers.lines
      .slice(from)
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ level }) => level === "warning")
      .map(({ time: _, level: __, ...entry }) => entry);
  const refused = {
    message: "refused for a limit",
    limit: "limits.ratePerSecond: 3",
    transport: "http",
    status: 429,
    address: "127.0.0.1",
  };
  assert.equal(warnings(), [refused]);
  await server.close();
  assert.equal(warnings(), [refused, { ...refused, count: 9, withinMs: 10_000 }]);
});

test("a client that exceeds the rate gets Retry-After, and others are served", async () => {
  const { http: limited } = await servers.start({ limits: { ratePerSecond: 3 } });
  const send = (localAddress: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const options = { method: "POST", localAddress, agent: false } as const;
      request(limited.url, options, (answer) => resolve(answer.resume()))
        .on("error", reject)
        .end();
    });
  const answers: IncomingMessage[] = [];
  await withStoppedClock(async () => {
    answers.push(...(await Promise.all(Array.from({ length: 8 }, () => send("127.0.0.1")))));
  });
  const refused = answers.filter(({ statusCode }) => statusCode === 429);
  assert.is(refused.length, 5, "of eight at once, three may pass");
  for (const { headers } of refused) assert.is(headers["retry-after"], "1");
  assert.is((await send("127.0.0.2")).statusCode, 415, "another client, a request without a type");
  const health = await fetch(new URL("/healthz", limited.url));
  assert.is(health.status, 200, "health is not counted");
});

test("each message of an older client's batch counts as a request", async () => {
  const pings = (length: number): string =>
    JSON.stringify(
      Array.from({ length }, (_, id) => ({ jsonrpc: "2.0", id: id + 1, method: "ping" })),
    );
  const accept = "application/json, text/event-stream";
  const headers = { "content-type": "application/json", accept };
  const statuses = [];
  for (const length of [5, 6, 101]) {
    const { http: limited } = await servers.start({ limits: { ratePerSecond: 5 } });
    const answer = await fetch(limited.url, { method: "POST", headers, body: pings(length) });
    if (answer.ok) assert.is((await answer.text()).split('"result":{}').length, length + 1);
    statuses.push(answer.status);
  }
  assert.equal(statuses, [200, 429, 400], "as many as a second's, one more, and too long a batch");
});

test("the address of a client behind a trusted proxy is known", async () => {
  const limits = { ratePerSecond: 1 };
  const { http } = await servers.start({ limits }, { trustProxy: 1 });
  const status = async (client: string): Promise<number> => {
    const headers = { "x-forwarded-for": `192.0.2.1, ${client}` };
    return (await sendRaw(modernRequest(http.url, "tools/list", {}, headers))).status;
  };
  await withStoppedClock(async () => {
    const statuses = [await status("203.0.113.1"), await status("203.0.113.2")];
    assert.equal(statuses, [200, 200]);
    assert.is(await status("203.0.113.1"), 429);
  });
});

test.run();
