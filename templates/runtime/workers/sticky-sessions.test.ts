import { once } from "node:events";
import { rm } from "node:fs/promises";
import { request as requestOverHttp, type IncomingMessage } from "node:http";
import { request as requestOverTls } from "node:https";
import { connect, createServer, type AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { suite } from "uvu";
import * as assert from "uvu/assert";
import { DividedServer, DividedServers, SharedServer } from "../samples/divided-server.js";
import { isRunning } from "../samples/processes.js";
import { closeAll } from "../suite/clients/harness.js";
import { connectHttp } from "../suite/clients/http.js";
import { testTls } from "../suite/clients/tls.js";
import { workerOf } from "./sticky-listener.js";

/** Sessions of a server of several processes: the address of a client finds the process that has its session. */

const test = suite("sessions of several processes");
const servers = new DividedServers();
const SESSIONS = { SESSIONS: "memory" } as const;
test.after.each(async () => {
  await closeAll();
  servers.kill();
});

const shared = new SharedServer(() => DividedServer.start(3, SESSIONS));
test.after(shared.kill);

/** Addresses of this machine, some for each of three workers. */
const ADDRESSES = Array.from({ length: 9 }, (_, index) => `127.0.0.${index + 10}`);

/** A client of the older eras at an address, which opens a connection for each request. */
class SessionClient {
  readonly #url: URL;
  readonly #address: string;
  session: string | undefined;
  #id = 0;

  constructor(url: string, address: string) {
    this.#url = new URL(url);
    this.#address = address;
  }

  async open(): Promise<void> {
    const answer = await this.send("initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "test", version: "1.0.0" },
    });
    await text(answer);
    this.session = String(answer.headers["mcp-session-id"]);
    assert.is(answer.statusCode, 200);
  }

  /** Calls a tool. @returns the status, and the text of the answer */
  async call(name: string): Promise<{ readonly status: number; readonly text: string }> {
    const answer = await this.send("tools/call", { name, arguments: {} });
    const body = await text(answer);
    return { status: answer.statusCode ?? 0, text: /"text":"([^"]*)"/.exec(body)?.[1] ?? body };
  }

  send(method: string, params: object): Promise<IncomingMessage> {
    const isSecure = this.#url.protocol === "https:";
    return new Promise((resolve, reject) => {
      (isSecure ? requestOverTls : requestOverHttp)(
        this.#url,
        {
          ...{ method: "POST", agent: false, localAddress: this.#address },
          ...(isSecure && { ca: testTls().authority }),
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            ...(this.session !== undefined && {
              "mcp-session-id": this.session,
              "mcp-protocol-version": "2025-11-25",
            }),
          },
        },
        resolve,
      )
        .once("error", reject)
        .end(JSON.stringify({ jsonrpc: "2.0", id: ++this.#id, method, params }));
    });
  }
}

/** Opens a session at each address. */
async function openAll(server: DividedServer): Promise<readonly SessionClient[]> {
  const clients = ADDRESSES.map((address) => new SessionClient(server.url, address));
  for (const client of clients) await client.open();
  return clients;
}

/** The processes that answer a call of each client. */
const pidsOf = (clients: readonly SessionClient[]): Promise<readonly string[]> =>
  Promise.all(clients.map(async (client) => (await client.call("pid")).text));

test("each request of a client finds its session, and clients of many addresses use all workers", async () => {
  const server = await shared.get();
  const clients = await openAll(server);
  const first = await pidsOf(clients);
  assert.is(new Set(first).size, 3);
  for (let turn = 0; turn < 3; turn++) assert.equal(await pidsOf(clients), first);
  assert.is(server.log.filter(({ message }) => message === "serving").length, 3);
  const page = await (await fetch(new URL("/metrics", server.url))).text();
  assert.match(page, /^mcp_server_sessions 9$/m);
});

test("a worker that ends takes its own sessions along, and no others", async () => {
  const server = await shared.get();
  const serving = server.count("serving");
  const clients = await openAll(server);
  const before = await pidsOf(clients);
  const [client] = clients;
  assert.ok(client);
  await client.call("crash").catch(() => undefined);
  await server.logged("serving", serving + 1);
  for (const [index, other] of clients.entries()) {
    const { status, text } = await other.call("pid");
    if (before[index] === before[0]) assert.is(status, 404);
    else assert.is(text, before[index]);
  }
  client.session = undefined;
  await client.open();
  assert.not.ok(before.includes((await client.call("pid")).text));
});

test("the official client is served with and without a session", async () => {
  const server = await shared.get();
  for (const era of ["legacy", "modern"] as const) {
    const client = await connectHttp(server.url, era);
    for (let turn = 0; turn < 4; turn++) {
      assert.is((await client.callTool({ name: "extra", arguments: {} })).isError ?? false, false);
    }
  }
});

test("slow requests are refused", async () => {
  const server = await servers.start(2, { ...SESSIONS, HEADERS_MS: "300" });
  const slow = connect(Number(new URL(server.url).port), "127.0.0.1").setEncoding("utf8");
  slow.write("POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\n");
  assert.match(await text(slow), "408 Request Timeout");
});

test("a client that ends its side of the connection before its answer gets it, with and without sessions", async () => {
  for (const env of [SESSIONS, {}]) {
    const server = await servers.start(2, env);
    const port = Number(new URL(server.url).port);
    const answers = Array.from({ length: 60 }, () => {
      const client = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
      client.end("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n");
      return text(client);
    });
    for (const answer of await Promise.all(answers)) assert.match(answer, /^HTTP\/1\.1 200 OK/);
  }
});

test("running calls are finished at a stop, over TLS too", async () => {
  const { folder, cert, key } = testTls().writeFiles();
  try {
    const overTls = { ...SESSIONS, TLS_CERT: cert, TLS_KEY: key };
    for (const server of [await shared.get(), await servers.start(3, overTls)]) {
      const clients = await openAll(server);
      const pids = new Set(await pidsOf(clients));
      const held = clients.map((client) => client.call("hold"));
      await pidsOf(clients);
      server.primary.kill("SIGTERM");
      for (const answer of await Promise.all(held)) assert.is(answer.text, "held");
      assert.is(await server.exit, 0);
      for (const pid of pids) assert.not.ok(await isRunning(Number(pid)));
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("a port that is taken is named once", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  const server = servers.add(new DividedServer(["--workers", "3", "--port", `${port}`], SESSIONS));
  assert.is(await server.exit, 1);
  taken.close();
  const said = server.log.filter(({ level }) => level === "error");
  assert.is(said.length, 1, server.stderr);
  assert.match(String(said[0]?.["error"]), `port ${port} on 127.0.0.1 is in use`);
});

test("addresses are spread over workers, and those of one IPv6 network stay together", () => {
  const counts = [0, 0, 0, 0];
  for (let address = 0; address < 4_000; address++) {
    const worker = workerOf(`10.0.${address >> 8}.${address & 255}`, 4);
    counts[worker - 1] = (counts[worker - 1] ?? 0) + 1;
  }
  for (const count of counts) assert.ok(count > 800 && count < 1_200, counts.join());
  assert.is(workerOf("2001:db8::1", 4), workerOf("2001:db8::2", 4));
  assert.is(workerOf("::ffff:10.0.0.1", 4), workerOf("10.0.0.1", 4));
});

test.run();
