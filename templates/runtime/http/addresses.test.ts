import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseFlags, chooseTransports } from "../start/command-line.js";
import type { TransportDefinition } from "../engine/definition.js";
import { addressOptions, chooseListeners } from "./addresses.js";
import type { HttpDefinition } from "./definition.js";

const address = {
  host: "127.0.0.1",
  port: 3000,
  allowedHosts: [],
  allowedOrigins: [],
  trustProxy: 0,
};
const http: HttpDefinition = {
  ...address,
  ...{ type: "http", path: "/mcp", health: "/health" },
  ...{ sessions: "none", resumable: false, cors: false },
};
const all: readonly TransportDefinition[] = [
  { type: "stdio" },
  { ...address, type: "sse", path: "/sse", messagesPath: "/messages" },
  http,
  { ...address, type: "websocket", path: "/ws", port: 3001 },
  { type: "custom", name: "pigeon" },
];

/** Describes the started transports: `stdio`, `sse+http@127.0.0.1:3000`, …. */
function started(
  args: string[],
  environment: Record<string, string> = {},
  isTerminal = false,
): string[] {
  const flags = parseFlags(args, addressOptions);
  const chosen = chooseTransports(all, flags, isTerminal);
  const listeners = chooseListeners(all, chosen, flags, environment);
  return [
    ...(chosen.has("stdio") ? ["stdio"] : []),
    ...listeners.map((listener) => {
      const types = listener.map(({ type }) => type).join("+");
      const addresses = new Set(listener.map(({ host, port }) => `${host}:${port}`));
      return `${types}@${[...addresses].join(" ")}`;
    }),
    ...(chosen.has("custom") ? ["pigeon"] : []),
  ];
}

test("without flags, all transports are served, and those with the same address share a listener", () => {
  const network = ["sse+http@127.0.0.1:3000", "websocket@127.0.0.1:3001"];
  assert.equal(started([]), ["stdio", ...network, "pigeon"]);
  assert.equal(started([], {}, true), [...network, "pigeon"]);
});

test("flags choose the transports that are served", () => {
  assert.equal(started(["--stdio"], {}, true), ["stdio"]);
  assert.equal(started(["--http", "--custom"]), ["http@127.0.0.1:3000", "pigeon"]);
  assert.equal(started(["--websocket"]), ["websocket@127.0.0.1:3001"]);
  assert.throws(
    () => chooseTransports([http], parseFlags(["--sse"]), false),
    "This server has no transport sse",
  );
});

test("--port is for http and the transports with its address; port 0 and --host are for all", () => {
  assert.equal(started(["--port", "80", "--http", "--sse", "--websocket"]), [
    "sse+http@127.0.0.1:80",
    "websocket@127.0.0.1:3001",
  ]);
  assert.equal(started(["--http", "--sse", "--websocket"], { PORT: "0", HOST: "::1" }), [
    "sse+http@::1:0",
    "websocket@::1:0",
  ]);
});

test("stdio is served on a terminal, too, if it is the only transport", () => {
  const choose = (isTerminal: boolean): boolean =>
    chooseTransports([{ type: "stdio" }], parseFlags([]), isTerminal).has("stdio");
  assert.equal([choose(true), choose(false)], [true, true]);
});

test.run();
