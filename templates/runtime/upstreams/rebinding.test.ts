import { test } from "uvu";
import * as assert from "uvu/assert";
import { openDnsServer, type DnsServer } from "../samples/dns-server.js";
import { closeServers, errorOf, TestServer, upstreamOf } from "../samples/local-internet.js";

/** Tests with real connections and a name server whose answers are addresses of this machine. */

const dnsServers: DnsServer[] = [];

async function dnsOf(...answers: readonly (readonly string[])[]): Promise<DnsServer> {
  const server = await openDnsServer(...answers);
  dnsServers.push(server);
  return server;
}

/** Servers at two addresses with the same port, which answer with their addresses. */
async function openTwo(keepAlive = true): Promise<{ port: number; requests: () => string[] }> {
  const requests: string[] = [];
  const answerAs =
    (host: string): Parameters<typeof TestServer.open>[0] =>
    ({ url }, _request, response) => {
      requests.push(`${host}${url}`);
      if (!keepAlive) response.setHeader("connection", "close");
      const token = { access_token: `token of ${host}`, expires_in: 3_600 };
      response.end(JSON.stringify(url === "/token" ? token : host));
    };
  const { port } = await TestServer.open(answerAs("127.0.0.1"));
  await TestServer.open(answerAs("127.0.0.2"), { host: "127.0.0.2", port });
  return { port, requests: () => requests };
}

const NOT_PUBLIC = /leads to an address that is not public/;

test("each connection asks for the name once, and goes to the address of that answer", async () => {
  const { port } = await openTwo(false);
  const answers = ["127.0.0.1", "127.0.0.2", "127.0.0.2", "127.0.0.1"];
  const dns = await dnsOf(...answers.map((address) => [address]));
  const baseUrl = `http://changing.example:${port}`;
  const { upstream } = upstreamOf({ baseUrl }, { lookup: dns.lookup });
  const reached: unknown[] = [];
  for (const _answer of answers) reached.push((await upstream.get("/")).json());
  assert.equal(reached, answers);
  assert.equal(dns.asked, Array(4).fill("changing.example"));
});

test("a connection that is kept stays with its address after the name has changed", async () => {
  const { port } = await openTwo();
  const dns = await dnsOf(["127.0.0.1"], ["127.0.0.2"]);
  const baseUrl = `http://changing.example:${port}`;
  const { upstream } = upstreamOf({ baseUrl, concurrency: 1 }, { lookup: dns.lookup });
  for (let count = 0; count < 3; count++) {
    assert.is((await upstream.get("/")).json(), "127.0.0.1");
  }
  assert.is(dns.asked.length, 1);
});

test("a redirect to a name that leads inside is refused, with one question for the name", async () => {
  const { port, requests } = await openTwo();
  const outer = await TestServer.open((_seen, _request, response) => {
    response.writeHead(302, { location: `http://inside.example:${port}/` }).end();
  });
  const dns = await dnsOf(["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1"]);
  const stated = { baseUrl: `http://own.example:${outer.port}`, redirects: 3 };
  const { upstream } = upstreamOf(stated, { lookup: dns.lookup });
  for (let count = 0; count < 2; count++) {
    assert.match((await errorOf(upstream.get("/"))).message, NOT_PUBLIC);
  }
  assert.equal(dns.asked, ["own.example", "inside.example", "inside.example"]);
  assert.equal(requests(), []);
});

test("a public upstream and its token endpoint do not follow their names inside", async () => {
  const { port, requests } = await openTwo();
  const dns = await dnsOf(["127.0.0.1", "127.0.0.2"]);
  const auth = {
    kind: "clientCredentials",
    tokenUrl: `http://tokens.example:${port}/token`,
    clientId: "me",
    clientSecret: "a-secret",
    sendIn: "form",
  } as const;
  const stated = { baseUrl: `http://own.example:${port}`, private: false };
  for (const upstream of [stated, { ...stated, auth }]) {
    const { message } = await errorOf(upstreamOf(upstream, dns).upstream.get("/"));
    assert.match(message, NOT_PUBLIC);
  }
  assert.equal(dns.asked, ["own.example", "tokens.example"]);
  assert.equal(requests(), []);
});

test("a token endpoint is asked at the address that its name had for that connection", async () => {
  const { port, requests } = await openTwo(false);
  const dns = await dnsOf(["127.0.0.2"], ["127.0.0.1"]);
  const auth = {
    kind: "clientCredentials",
    tokenUrl: `http://tokens.example:${port}/token`,
    clientId: "me",
    clientSecret: "a-secret",
    sendIn: "form",
  } as const;
  const stated = { baseUrl: `http://own.example:${port}`, auth };
  assert.is((await upstreamOf(stated, dns).upstream.get("/x")).json(), "127.0.0.1");
  assert.equal(requests(), ["127.0.0.2/token", "127.0.0.1/x"]);
  assert.equal(dns.asked, ["tokens.example", "own.example"]);
});

test.after(async () => {
  for (const server of dnsServers) server.close();
  await closeServers();
});

test.run();
