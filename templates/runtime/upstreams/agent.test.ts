import { X509Certificate } from "node:crypto";
import { createServer as createHttpServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, Socket, type AddressInfo, type Server } from "node:net";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls, { type ConnectionOptions, type TLSSocket } from "node:tls";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { Lookup } from "../egress/reach.js";
import { closeServers, errorOf, TestServer, upstreamOf } from "../samples/local-internet.js";
import { selfSignedCertificate } from "../suite/clients/self-signed-certificate.js";
import type { Upstream } from "./upstream.js";
import { createUpstreams } from "./upstreams.js";

test.after(closeServers);

async function messageOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => assert.unreachable("there was an answer") as never,
    ({ message }: Error) => message,
  );
}

/** Listens on a free port of this machine, which it returns. */
async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return (server.address() as AddressInfo).port;
}

/** A folder with a certificate of localhost and its key. The test must remove it. */
function certificateFiles(): { readonly ca: string; readonly key: string; remove(): void } {
  const { cert, key } = selfSignedCertificate();
  const folder = mkdtempSync(join(tmpdir(), "upstream-"));
  const files = { ca: join(folder, "ca.pem"), key: join(folder, "key.pem") };
  writeFileSync(files.ca, cert);
  writeFileSync(files.key, key, { mode: 0o600 });
  return { ...files, remove: () => rmSync(folder, { recursive: true }) };
}

test("TLS: an upstream that requests a client certificate gets that of the server", async () => {
  const files = certificateFiles();
  const pem = {
    cert: readFileSync(files.ca),
    key: readFileSync(files.key),
    ca: readFileSync(files.ca),
  };
  const tlsOptions = { ...pem, requestCert: true, rejectUnauthorized: true };
  const server = createTlsServer(tlsOptions, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    response.setHeader("content-type", "application/json").end(JSON.stringify(subject.CN));
  });
  const baseUrl = `https://127.0.0.1:${await listening(server)}`;
  const env = { CA: files.ca, CERT: files.ca, KEY: files.key };
  const withCertificate = upstreamOf(
    { baseUrl, ca: "CA", cert: "CERT", key: "KEY" },
    { env },
  ).upstream;
  assert.is((await withCertificate.get("/")).json(), "localhost");
  const withoutCertificate = upstreamOf({ baseUrl, ca: "CA" }, { env }).upstream;
  assert.match(await messageOf(withoutCertificate.get("/")), /TLS failed|broke off/);
  server.closeAllConnections();
  server.close();
  files.remove();
});

test("TLS: the token endpoint gets the certificate of the client, and the upstream that of its own", async () => {
  const [forTokens, forApi] = [certificateFiles(), certificateFiles()];
  const seen: string[] = [];
  const server = createTlsServer(
    {
      ...{ cert: readFileSync(forApi.ca), key: readFileSync(forApi.key) },
      // Which certificate it is, its fingerprint says.
      ...{ requestCert: true, rejectUnauthorized: false },
    },
    (request, response) => {
      const { fingerprint256 } = (request.socket as TLSSocket).getPeerCertificate();
      const chunks: Buffer[] = [];
      request
        .on("data", (chunk: Buffer) => chunks.push(chunk))
        .on("end", () => {
          const body = Buffer.concat(chunks).toString();
          const secret = request.headers.authorization ?? "";
          seen.push([request.url, fingerprint256, body, secret].join(" "));
          response.setHeader("content-type", "application/json");
          response.end(JSON.stringify({ access_token: "what-is-given" }));
        });
    },
  );
  const baseUrl = `https://127.0.0.1:${await listening(server)}`;
  const clientCertificate = { cert: "TOKEN_CERT", key: "TOKEN_KEY" };
  const client = { clientId: "books", clientCertificate, sendIn: "header" } as const;
  const auth = { kind: "clientCredentials", tokenUrl: `${baseUrl}/token`, ...client } as const;
  const env = {
    ...{ CA: forApi.ca, CERT: forApi.ca, KEY: forApi.key },
    ...{ TOKEN_CERT: forTokens.ca, TOKEN_KEY: forTokens.key },
  };
  const files = { ca: "CA", cert: "CERT", key: "KEY" };
  const { upstream } = upstreamOf({ baseUrl, ...files, auth }, { env });
  await upstream.get("/asked");
  const print = ({ ca }: { readonly ca: string }): string =>
    new X509Certificate(readFileSync(ca)).fingerprint256;
  assert.equal(seen, [
    `/token ${print(forTokens)} grant_type=client_credentials&client_id=books `,
    `/asked ${print(forApi)}  Bearer what-is-given`,
  ]);
  server.closeAllConnections();
  server.close();
  for (const files of [forTokens, forApi]) files.remove();
});

test("the message about an absent file has the name of its variable, but not its path", () => {
  const env = { CA: "/no/such/ca.pem" };
  const ask = (): unknown => upstreamOf({ baseUrl: "https://a.example", ca: "CA" }, { env });
  assert.throws(ask, /^the file that CA names cannot be read$/);
});

/** A proxy on this machine, and the targets of its connections. */
async function openProxy(): Promise<{ origin: string; targets: string[]; close(): void }> {
  const targets: string[] = [];
  const proxy = createHttpServer((_request, response) => response.writeHead(405).end());
  proxy.on("connect", ({ url = "" }, client, head) => {
    targets.push(url);
    const target = connect(Number(url.split(":").at(-1)), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      target.write(head);
      target.pipe(client).pipe(target);
    });
    for (const socket of [target, client]) socket.on("error", () => undefined);
    client.on("close", () => target.destroy());
  });
  const port = await listening(proxy);
  const close = (): void => {
    proxy.closeAllConnections();
    proxy.close();
  };
  return { origin: `http://127.0.0.1:${port}`, targets, close };
}

test("a proxy opens the connection, and the credentials reach the upstream", async () => {
  const proxy = await openProxy();
  const server = await TestServer.open((_seen, _request, response) => {
    response.setHeader("content-type", "application/json").end('{"ok":true}');
  });
  const stated = {
    baseUrl: `http://books.example:${server.port}`,
    proxy: { env: "PROXY" },
    auth: { kind: "bearer", token: { env: "TOKEN" } },
    private: false,
  } as const;
  const env = { PROXY: proxy.origin, TOKEN: "a-token-of-the-test" };
  const { upstream } = upstreamOf(stated, { env });
  assert.equal((await upstream.get("/x")).json(), { ok: true });
  assert.equal(proxy.targets, [`books.example:${server.port}`]);
  assert.is(server.requests[0]?.headers.authorization, "Bearer a-token-of-the-test");
  for (const address of ["127.0.0.1", "[::ffff:7f00:1]", "0x7f.1"]) {
    const literal = { ...stated, baseUrl: `http://${address}:${server.port}` };
    const refused = await messageOf(upstreamOf(literal, { env }).upstream.get("/x"));
    assert.match(refused, "leads to an address that is not public", address);
  }
  assert.is(proxy.targets.length, 1);
  proxy.close();
  const gone = upstreamOf(stated, { env }).upstream;
  assert.is(await messageOf(gone.get("/x")), "The upstream api cannot be reached.");
});

test("through a proxy, a private upstream leads to no private address of another origin", async () => {
  const proxy = await openProxy();
  let location = "";
  const server = await TestServer.open(({ url }, _request, response) => {
    if (url === "/end") response.end('"own"');
    else response.writeHead(302, { location }).end();
  });
  const inner = await TestServer.answering("inner");
  const env = { PROXY: proxy.origin };
  const stated = { baseUrl: server.origin, proxy: { env: "PROXY" }, redirects: 2 };
  const { upstream } = upstreamOf(stated, { env });
  for (const host of [
    "127.0.0.1",
    "127.0.0.2",
    "[::1]",
    "[::ffff:7f00:1]",
    "2130706433",
    "localhost",
  ]) {
    location = `http://${host}:${inner.port}/`;
    assert.match(await messageOf(upstream.get("/x")), "not public and not of its own origin", host);
  }
  location = "/end";
  assert.is((await upstream.get("/x")).json(), "own");
  assert.equal(new Set(proxy.targets), new Set([`127.0.0.1:${server.port}`]));
  assert.equal(inner.requests, []);
  proxy.close();
});

test("TLS: the client certificate is not shown to another origin", async () => {
  const files = certificateFiles();
  const [cert, key] = [readFileSync(files.ca), readFileSync(files.key)];
  const server = createTlsServer({ cert, key }, (_request, response) => {
    response.writeHead(302, { location: "https://other.example/" }).end();
  });
  const baseUrl = `https://localhost:${await listening(server)}`;
  const lookup: Lookup = (name, callback) => {
    callback(null, [{ address: name === "localhost" ? "127.0.0.1" : "93.184.216.35", family: 4 }]);
  };
  const env = { CA: files.ca, CERT: files.ca, KEY: files.key };
  const shown: unknown[] = [];
  const { connect: realConnect } = tls;
  const recordingConnect = (options: ConnectionOptions): TLSSocket => {
    shown.push([options.host, options.cert !== undefined, options.key !== undefined]);
    if (options.host === "localhost") return realConnect(options);
    // Nothing of a test connects outside of this machine.
    return new tls.TLSSocket(new Socket()).destroy(new Error("not on this machine"));
  };
  tls.connect = recordingConnect as typeof tls.connect;
  try {
    const stated = { baseUrl, ca: "CA", cert: "CERT", key: "KEY", redirects: 1 };
    await messageOf(upstreamOf(stated, { env, lookup }).upstream.get("/"));
  } finally {
    tls.connect = realConnect;
    server.closeAllConnections();
    server.close();
    files.remove();
  }
  assert.equal(shown, [
    ["localhost", true, true],
    ["other.example", false, false],
  ]);
});

test("through a proxy, the upstream's own certificate is verified with its own authority", async () => {
  const proxy = await openProxy();
  const files = certificateFiles();
  const pem = { cert: readFileSync(files.ca), key: readFileSync(files.key) };
  const server = createTlsServer(pem, (_request, response) => response.end("safe"));
  const baseUrl = `https://localhost:${await listening(server)}`;
  const env = { PROXY: proxy.origin, CA: files.ca };
  const through = { baseUrl, proxy: { env: "PROXY" } };
  const trusted = upstreamOf({ ...through, ca: "CA" }, { env }).upstream;
  assert.is((await trusted.get("/")).status, 200);
  const distrusted = await messageOf(upstreamOf(through, { env }).upstream.get("/"));
  assert.match(distrusted, "could not be trusted: TLS failed with");
  server.closeAllConnections();
  server.close();
  proxy.close();
  files.remove();
});

test("an upstream of a test gets requests directly, without TLS and without the proxy", async () => {
  const server = await TestServer.open((_seen, _request, response) => response.end("played"));
  const definition = {
    name: "api",
    timeoutMs: 5_000,
    private: false,
    redirects: 0,
    baseUrl: "https://books.example/v1",
    proxy: "http://127.0.0.1:9",
    ca: "CA",
    cert: "CERT",
    key: "KEY",
  };
  const env = { CA: "/no/such/ca.pem", CERT: "/no/such/cert.pem", KEY: "/no/such/key.pem" };
  const options = { env, root: ".", upstreams: { origin: server.origin } };
  const running = createUpstreams({ upstreams: [definition] }, options, { timeoutMs: 5_000 });
  const { api } = running.bind(new AbortController()) as { readonly api: Upstream };
  assert.is((await api.get("/x")).status, 200);
  assert.is(server.requests[0]?.url, "/v1/x");
  await running.close();
});

test("TLS: only a known authority, the right name and an upstream with TLS are accepted", async () => {
  const { cert, key } = selfSignedCertificate();
  const folder = mkdtempSync(join(tmpdir(), "upstream-"));
  writeFileSync(join(folder, "ca.pem"), cert);
  const server = createTlsServer({ cert, key }, (_request, response) => response.end('"safe"'));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const baseUrl = `https://localhost:${port}`;
  const lookup = (
    _name: string,
    callback: (error: null, found: { address: string; family: number }[]) => void,
  ): void => {
    callback(null, [{ address: "127.0.0.1", family: 4 }]);
  };
  const env = { CA: join(folder, "ca.pem") };
  const messageOf = async (stated: { baseUrl: string; ca?: string }): Promise<string> =>
    (await errorOf(upstreamOf(stated, { env, lookup }).upstream.get("/"))).message;
  assert.match(await messageOf({ baseUrl }), "could not be trusted: TLS failed with");
  const trusted = upstreamOf({ baseUrl, ca: "CA" }, { env, lookup }).upstream;
  assert.is((await trusted.get("/")).json(), "safe");
  const wrong = await messageOf({ baseUrl: `https://other.example:${port}`, ca: "CA" });
  assert.match(wrong, "TLS failed with ERR_TLS_CERT_ALTNAME_INVALID");
  const plain = await TestServer.open((_seen, _request, response) => response.end("{}"));
  assert.match(
    await messageOf({ baseUrl: plain.origin.replace("http", "https"), ca: "CA" }),
    /TLS failed|broke off/,
  );
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true });
});

test.run();
