import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { defaultLimits } from "../engine/limits.js";
import { timeLimits } from "./listener.js";

test("a connection without a request stays open longer than clients are told", async () => {
  const options = timeLimits(defaultLimits);
  const server = createServer(options, (_request, response) => void response.end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { headers } = await fetch(`http://127.0.0.1:${port}/`);
  server.closeAllConnections();
  server.close();
  const [, seconds] = /^timeout=(\d+)$/.exec(headers.get("keep-alive") ?? "") ?? [];
  assert.is(seconds, "5");
  assert.ok((options.keepAliveTimeout ?? 0) >= 1_000 * Number(seconds) + 500);
});

test.run();
