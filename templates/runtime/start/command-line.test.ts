import { test } from "uvu";
import * as assert from "uvu/assert";
import { parseFlags, usage } from "./command-line.js";
import { addressOptions, chooseListeners } from "../http/addresses.js";
import type { HttpDefinition } from "../http/definition.js";

const http: HttpDefinition = {
  type: "http",
  host: "127.0.0.1",
  port: 3000,
  path: "/mcp",
  sessions: "none" as const,
  resumable: false,
  cors: true,
  trustProxy: 0,
  health: "/healthz",
  allowedHosts: [],
  allowedOrigins: [],
};

function address(args: string[], environment: Record<string, string> = {}): [string, number] {
  const flags = parseFlags(args, addressOptions);
  const [listener] = chooseListeners([http], new Set(["http"]), flags, environment);
  const { host, port } = listener![0];
  return [host, port];
}

test("flags are read by name", () => {
  assert.equal(parseFlags([]), {
    transports: [],
    values: {},
    mock: false,
    help: false,
    version: false,
  });
  assert.equal(parseFlags(["--stdio", "--mock", "--dotenv", ".env", "--port=80"], addressOptions), {
    transports: ["stdio"],
    mock: true,
    help: false,
    version: false,
    values: { port: "80", host: undefined },
    dotenv: ".env",
  });
});

test("for the address, flags have priority over the environment, and this over the manifest", () => {
  assert.equal(address([]), ["127.0.0.1", 3000]);
  assert.equal(address([], { PORT: "0", HOST: "::1" }), ["::1", 0]);
  assert.equal(address([], { PORT: "", HOST: "" }), ["127.0.0.1", 3000]);
  assert.equal(address(["--port", "81", "--host", "a"], { PORT: "82", HOST: "b" }), ["a", 81]);
});

test("wrong arguments are errors with a message for the user", () => {
  assert.throws(() => parseFlags(["--nope"]), /--nope/);
  assert.throws(() => parseFlags(["extra"]), /extra/);
  assert.throws(() => parseFlags(["--port", "80"]), /--port/, "nothing listens there");
  for (const port of ["65536", "-1", "1.5", "0x10", "a"]) {
    assert.throws(() => address([`--port=${port}`]), "--port must be a port, 0 to 65535");
    assert.throws(() => address([], { PORT: port }), "PORT must be a port, 0 to 65535");
  }
});

test("the usage names the transports of the server", () => {
  const stdio = usage([{ type: "stdio" }]);
  assert.match(stdio, /^  --stdio  /m);
  assert.not.match(stdio, /--port|--http|every transport/);
  const both = usage([{ type: "stdio" }, { type: "websocket" }], addressOptions);
  assert.match(both, /^  --websocket  .*\n  --port/m);
  assert.match(
    both,
    "Without --stdio, --websocket, every transport is served, except stdio in a terminal.",
  );
  const long = [{ name: "workers", value: "number", help: "processes" }];
  assert.match(usage([{ type: "http" }], long), "--workers <number> processes");
  const network = usage([{ type: "http" }, { type: "websocket" }]);
  assert.match(network, "Without --http, --websocket, every transport is served.");
});

test.run();
