import type { Socket } from "node:net";
import * as assert from "uvu/assert";
import { until } from "../../../../../templates/runtime/samples/until.js";
import type { DemoServer } from "./demo-server.js";
import type { Probes } from "./probes.js";
import { watchedBy } from "./watched.js";

/** Opens connections that send this and then nothing; resolves when the server has closed them all. */
async function fallSilent(server: DemoServer, count: number, start: string): Promise<string[]> {
  const sockets = await Promise.all(Array.from({ length: count }, () => server.open("127.0.0.3")));
  return Promise.all(
    sockets.map((socket) => {
      const received = server.received(socket);
      socket.write(start);
      return received;
    }),
  );
}

/** Waits until the server has closed the connections of former probes, which count towards its limit. */
async function untilFewConnections(server: DemoServer): Promise<void> {
  await until(async () => {
    const seen = await server.call("watch", {}, { localAddress: "127.0.0.6" });
    return watchedBy(seen).sockets <= 300;
  });
}

/**
 * Sends 1,000 requests at once. Returns the answers, of which some are missing where the server has closed
 * connections to make room for others.
 */
async function flood(
  server: DemoServer,
  requestAt: (index: number) => Parameters<DemoServer["request"]>[0],
): Promise<Awaited<ReturnType<DemoServer["request"]>>[]> {
  const requests = Array.from({ length: 1_000 }, (_none, index) =>
    server.request(requestAt(index)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ECONNRESET") throw error;
    }),
  );
  return (await Promise.all(requests)).filter((answer) => answer !== undefined);
}

/** Clients that are slow, many or fast. */
export const loadProbes: Probes = {
  R06: async (server) => {
    const start = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    // Its duration follows from the limits, whose defaults have their own test.
    await fallSilent(server, 300, `${start}Content-Length: 10\r\n\r\n12345`);
  },
  R07: async (server) => {
    await fallSilent(server, 300, "POST /mcp HTTP/1.1\r\nHost: local");
  },
  R55: async (server) => {
    const sockets: Socket[] = [];
    for (let round = 0; round < 8; round++) {
      sockets.push(
        ...(await Promise.all(Array.from({ length: 250 }, () => server.open("127.0.0.4")))),
      );
    }
    // A client that comes now gets in; the connection that makes room for it is closed soon after.
    await until(async () => {
      const seen = await server.call("watch", {}, { localAddress: "127.0.0.6" });
      assert.is(seen.status, 200);
      return watchedBy(seen).sockets <= 1_024;
    });
    for (const socket of sockets) socket.destroy();
  },
  R58: async (server) => {
    const started = performance.now();
    const requests = Array.from({ length: 1_000 }, () =>
      server.request({ localAddress: "127.0.0.5", path: "/mcp", body: "{}" }),
    );
    const honest = await server.call("echo", { text: "through" });
    assert.is(honest.status, 200, "another client is served");
    const answers = await Promise.all(requests);
    const refused = answers.filter(({ status }) => status === 429);
    const seconds = (performance.now() - started) / 1_000;
    const passed = answers.length - refused.length;
    assert.ok(passed <= 200 + 200 * seconds, `${passed} of 1,000 passed in ${seconds} s`);
    assert.ok(refused.every(({ headers }) => Number(headers["retry-after"]) >= 1));
  },
  R79: async (server) => {
    await untilFewConnections(server);
    const pages = await flood(server, () => ({
      method: "GET",
      path: "/nowhere",
      localAddress: "127.0.0.7",
    }));
    const refused = pages.filter(({ status }) => status === 429);
    assert.ok(refused.length > 100, `${refused.length} of 1,000 were refused`);
    assert.ok(pages.every(({ status }) => status === 429 || status === 404));
    await untilFewConnections(server);
    // Refusals of one kind share a line of the log, but for the first.
    const from = server.logLines.length;
    const headers = { origin: "http://evil.example" };
    const refusals = await flood(server, (index) => {
      return { headers, body: "{}", localAddress: `127.0.8.${1 + (index % 50)}` };
    });
    assert.ok(refusals.length > 0);
    assert.ok(refusals.every(({ status }) => status === 403 || status === 429));
    const refusalLines = server.logLines.slice(from).filter((line) => line.includes('"refused"'));
    assert.ok(refusalLines.length < 100, `${refusalLines.length} lines about 1,000 refusals`);
  },
};
