import { InMemoryTransport } from "@modelcontextprotocol/server";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServer } from "../server/create-server.js";
import { serveCustomClients, type TransportHost } from "./custom-transport.js";
import { createLog } from "../observe/log.js";
import { closeAll, connect } from "../suite/clients/harness.js";
import { sampleServer } from "../samples/server.js";
import { until } from "../samples/until.js";

test.after(closeAll);

/** Serves the sample server on a custom transport. Tests connect clients through its host. */
async function serve() {
  const lines: string[] = [];
  const log = createLog({ write: (line) => void lines.push(line) });
  const server = createServer(sampleServer, { root: process.cwd(), log });
  let host: TransportHost<object> | undefined;
  let isAccepting = true;
  const open = (transportHost: TransportHost<object>) => {
    host = transportHost;
    return { close: () => (isAccepting = false) };
  };
  const running = await serveCustomClients(open, server, { KEY: "value" });
  return { host: host as TransportHost<object>, running, lines, isAccepting: () => isAccepting };
}

for (const era of ["modern", "legacy"] as const) {
  test(`${era}: each connected transport is served, and closed after its calls are answered`, async () => {
    const { host, running, lines, isAccepting } = await serve();
    assert.equal(host.env, { KEY: "value" });
    const pairs = [InMemoryTransport.createLinkedPair(), InMemoryTransport.createLinkedPair()];
    const clients = await Promise.all(
      pairs.map(([clientEnd, serverEnd]) => {
        host.connect(serverEnd);
        return connect(clientEnd, era);
      }),
    );
    const closures = clients.map(
      (client) => new Promise((resolve) => (client.onclose = () => resolve(era))),
    );
    const calls = clients.map((client) =>
      client.callTool({ name: "sleep", arguments: { ms: 200 } }),
    );
    await until(() => lines.filter((line) => line.includes('"sleeping"')).length === 2);
    await running.close();
    assert.not(isAccepting());
    for (const { content } of await Promise.all(calls)) {
      assert.equal(content, [{ type: "text", text: "slept 200 ms" }]);
    }
    assert.equal(await Promise.all(closures), [era, era]);
  });
}

test.run();
