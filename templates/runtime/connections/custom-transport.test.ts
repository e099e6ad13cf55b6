import { InMemoryTransport } from "@modelcontextprotocol/server";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { createServer } from "../server/create-server.js";
import { serveCustom, type TransportHost } from "./custom-transport.js";
import { createLog } from "../observe/log.js";
import { closeAll, connect } from "../suite/clients/harness.js";
import { sampleServer } from "../samples/server.js";
import { until } from "../samples/until.js";

test.after(closeAll);

/** The sample server behind a transport that tests bring clients to by hand. */
async function serve() {
  const lines: string[] = [];
  const log = createLog({ write: (line) => void lines.push(line) });
  const server = createServer(sampleServer, { root: process.cwd(), log });
  let host: TransportHost<object> | undefined;
  let isAccepting = true;
  const open = (given: TransportHost<object>) => {
    host = given;
    return { close: () => (isAccepting = false) };
  };
  const running = await serveCustom(open)(server, { KEY: "value" });
  return { host: host as TransportHost<object>, running, lines, isAccepting: () => isAccepting };
}

for (const era of ["modern", "legacy"] as const) {
  test(`${era}: each transport that is brought is served, and closed once it has its answers`, async () => {
    const { host, running, lines, isAccepting } = await serve();
    assert.equal(host.env, { KEY: "value" });
    const pairs = [InMemoryTransport.createLinkedPair(), InMemoryTransport.createLinkedPair()];
    const clients = await Promise.all(
      pairs.map(([own, theirs]) => {
        host.connect(theirs);
        return connect(own, era);
      }),
    );
    const gone = clients.map(
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
    assert.equal(await Promise.all(gone), [era, era]);
  });
}

test.run();
