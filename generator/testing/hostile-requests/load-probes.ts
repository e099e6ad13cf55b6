import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import * as assert from "uvu/assert";
import type { DemoServer } from "./demo-server.js";
import type { Probes } from "./probes.js";

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

/** Clients that are slow, many or fast. */
export const loadProbes: Probes = {
  R06: async (server) => {
    const start = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    const closed = fallSilent(server, 300, `${start}Content-Length: 10\r\n\r\n12345`);
    const late = delay(30_000, undefined, { ref: false });
    assert.ok(await Promise.race([closed, late]), "slow bodies are given up within 30 s");
  },
  R07: async (server) => {
    const closed = fallSilent(server, 300, "POST /mcp HTTP/1.1\r\nHost: local");
    const late = delay(10_000, undefined, { ref: false });
    assert.ok(await Promise.race([closed, late]), "slow headers are given up within 10 s");
  },
  R55: async (server) => {
    const sockets: Socket[] = [];
    for (let round = 0; round < 8; round++) {
      sockets.push(
        ...(await Promise.all(Array.from({ length: 250 }, () => server.open("127.0.0.4")))),
      );
    }
    // A client that comes now gets in.
    const seen = await server.call("watch", {}, { localAddress: "127.0.0.6" });
    assert.is(seen.status, 200);
    const { sockets: held } = seen.message.result?.["structuredContent"] as { sockets: number };
    assert.ok(held <= 1_024, `the server holds ${held} connections`);
    for (const socket of sockets) socket.destroy();
  },
  R58: async (server) => {
    const flood = Array.from({ length: 2_000 }, () =>
      server.request({ localAddress: "127.0.0.5", path: "/mcp", body: "{}" }),
    );
    const honest = await server.call("echo", { text: "through" });
    assert.is(honest.status, 200, "another client is served");
    const refused = (await Promise.all(flood)).filter(({ status }) => status === 429);
    assert.ok(refused.length >= 500, `${refused.length} of 2,000 refused`);
    assert.ok(refused.every(({ headers }) => Number(headers["retry-after"]) >= 1));
  },
};
