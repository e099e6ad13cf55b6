import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import type { JsonObject } from "../model/json.js";
import { mcpwright } from "../testing/harness/projects/generated-project.js";

/** Tests `mcpwright diff` with a running server instead of one of the manifests. */

const folder = await mkdtemp(join(tmpdir(), "mcpwright-diff-server-"));
test.after(() => rm(folder, { recursive: true }));
const hostile = fileURLToPath(
  new URL("../testing/harness/services/hostile-mcp-server.js", import.meta.url),
);
const sound = ["--", process.execPath, hostile, "sound"];
const taken = await mcpwright(folder, "import", "server", ...sound);
const manifest = await readFile(join(folder, "mcp.yaml"), "utf8");

test("a manifest that equals the lists of the server has no changes", async () => {
  assert.is(taken.status, 0, taken.err);
  const { status, out, err } = await mcpwright(folder, "diff", "--fail-on", "warning", ...sound);
  assert.is(out, "callers see no change\n", err);
  assert.is(status, 0, err);
});

test("a difference from the server's lists is a change with the same rules as between manifests", async () => {
  const changed = manifest
    .replace("name: find", "name: search")
    .replace("version: 1.0.0", "version: 2.0.0");
  await writeFile(join(folder, "changed.yaml"), changed);
  const newer = ["diff", "changed.yaml", "--fail-on", "breaking"];
  const { status, out } = await mcpwright(folder, ...newer, ...sound);
  assert.is(status, 2, out);
  assert.match(out, /^server {2}breaking .*search/m);
  assert.match(out, "1 breaking");
  const json = await mcpwright(folder, "--json", ...newer, ...sound);
  const { semantic } = JSON.parse(json.out) as { readonly semantic: readonly JsonObject[] };
  assert.ok(semantic.some(({ severity }) => severity === "breaking"));
});

test("a server that cannot be reached, and two servers at once, are errors", async () => {
  const address = "http://127.0.0.1:9/mcp";
  const gone = await mcpwright(folder, "diff", "mcp.yaml", address);
  assert.is(gone.status, 1);
  assert.match(gone.err, "MW6130");
  assert.not.match(gone.err, "--header");
  const first = await mcpwright(folder, "diff", address, "mcp.yaml");
  assert.match(first.err, "MW6130");
  const both = await mcpwright(folder, "diff", "mcp.yaml", address, ...sound);
  assert.is(both.status, 1);
  assert.match(both.err, "MW5009");
  const none = await mcpwright(folder, "diff", "not-there.yaml", address);
  assert.match(none.err, "MW1001");
});

test("a server that wants a token gets the hint how to send one", async () => {
  const server = createServer((_request, response) => void response.writeHead(401).end());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const refused = ["diff", "mcp.yaml", `http://127.0.0.1:${port}/mcp`];
    const { err } = await mcpwright(folder, ...refused);
    assert.match(err, "hint: --header 'Authorization: Bearer …' sends a token");
    for (const header of ["Authorization: Bearer x", "X-API-Key: x"]) {
      const sent = await mcpwright(folder, ...refused, "--header", header);
      assert.match(sent.err, "MW6130");
      assert.not.match(sent.err, "hint: --header");
    }
  } finally {
    server.close();
  }
});

test("a number that is no status of HTTP gets no hint to send a token", async () => {
  const script = "console.error('boot failed at line 401'); process.exit(1)";
  const program = await mcpwright(folder, "diff", "mcp.yaml", "--", process.execPath, "-e", script);
  assert.match(program.err, "line 401");
  assert.not.match(program.err, "--header");
  const closed = await mcpwright(folder, "diff", "mcp.yaml", "http://127.0.0.1:401/mcp");
  assert.match(closed.err, "MW6130");
  assert.not.match(closed.err, "--header");
});

test.run();
