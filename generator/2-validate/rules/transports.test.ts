import { test } from "uvu";
import * as assert from "uvu/assert";
import { loadManifest } from "../../1-load/load.js";
import { checkHttpPaths } from "./transports.js";

/** The messages about equal paths of a server with the transport `http`, and what else the manifest has. */
function found(http: object, more: object = {}): string[] {
  const transports = [{ type: "http", ...http }];
  const text = JSON.stringify({ name: "demo", version: "1.0.0", transports, ...more });
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(text));
  return checkHttpPaths(manifest!).map(({ code, message }) => `${code} ${message}`);
}

test("two pages at one path are reported, the server card as well", () => {
  assert.equal(found({ health: "/mcp" }), ['MW2054 path and health are both at "/mcp"']);
  const card = { card: true };
  for (const key of ["health", "ready", "metrics"]) {
    assert.equal(found({ [key]: "/mcp/server-card" }, card), [
      `MW2054 the server card and ${key} are both at "/mcp/server-card"`,
    ]);
  }
  assert.equal(found({ path: "/", metrics: "/server-card" }, { card: { name: "com.example/x" } }), [
    'MW2054 the server card and metrics are both at "/server-card"',
  ]);
  assert.equal(found({ health: "/mcp/server-card" }), []);
  assert.equal(found({ health: "/mcp/server-card" }, { card: false }), []);
  assert.equal(found({}, card), []);
});

test("the path of another transport of the same listener may be that of the server card", () => {
  const sse = { type: "sse", path: "/mcp/server-card" };
  const text = { name: "demo", version: "1.0.0", card: true, transports: [{ type: "http" }, sse] };
  const { manifest } = loadManifest("mcp.yaml", Buffer.from(JSON.stringify(text)));
  assert.equal(
    checkHttpPaths(manifest!).map(({ message }) => message),
    ['the server card of http and path of sse are both at "/mcp/server-card"'],
  );
});

test.run();
