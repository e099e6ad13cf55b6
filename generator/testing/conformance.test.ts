import { rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { test } from "uvu";
import * as assert from "uvu/assert";
import { runConformanceSuite } from "./conformance-suite.js";
import { copyUserFiles, installShared, mcpwright, npm } from "./generated-project.js";
import { startHttp, type StartedServer } from "./project-clients.js";

/** The official conformance suite against examples/conformance, with no list of expected failures. */

const example = fileURLToPath(new URL("../../../examples/conformance/", import.meta.url));
let folder: string;
let server: StartedServer;

test.before(async () => {
  folder = await copyUserFiles(example, "conformance");
  const { status, out, err } = await mcpwright(folder, "generate");
  assert.is(status, 0, out + err);
  await installShared(folder);
  await npm(folder, "test");
  server = await startHttp(folder);
});
test.after(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

for (const [requirements, scenarios] of [
  ["2026-07-28", 50],
  ["2025-11-25", 33],
] as const) {
  test(`every scored scenario of ${requirements} passes`, async () => {
    const url = server.url.replace("127.0.0.1", "localhost");
    const outcome = await runConformanceSuite(url, requirements);
    const failing = [...outcome.scenarios].flatMap(([name, passed]) => (passed ? [] : [name]));
    assert.ok(outcome.passed, `${failing.join(", ")}\n${outcome.output}`);
    assert.is(outcome.scenarios.size, scenarios);
    console.log(`${requirements}: not scored and not passing: ${failing.join(", ") || "none"}`);
  });
}

test.run();
